// Line charts by uPlot in the theme's colours; redrawn when the theme or the window size changes.
import uPlot from 'uplot';
import { dropColours, keepColours, token } from './colours';
import { h } from './dom';

export interface Line {
  label: string;
  values: (number | null)[];
  colour?: string;
  dash?: boolean;
  width?: number;
  fill?: boolean;
  steps?: boolean;
  dots?: boolean;
}

export interface Marker {
  index: number;
  line: number;
  shape: 'triangle' | 'cross' | 'dot';
  colour: string;
}

export interface ChartOptions {
  x: number[];
  lines: Line[];
  height?: number;
  /** What it shows, for screen readers. */
  label: string;
  xLabel?: string;
  yLabel?: string;
  range?: [number | null, number | null];
  log?: boolean;
  markers?: Marker[];
  /** The text for a point. */
  say?: (index: number) => string;
  pick?: (index: number) => void;
  xFormat?: (x: number) => string;
  yFormat?: (y: number) => string;
  bars?: boolean;
}

export class Chart {
  readonly element: HTMLElement;
  private plot: uPlot | undefined;
  private readonly tip = h('div', { class: 'tip', hidden: true });
  private readonly observer: ResizeObserver;

  constructor(private options: ChartOptions) {
    this.element = h('div', { class: 'chart', role: 'img', 'aria-label': options.label });
    this.element.style.height = `${options.height ?? 170}px`;
    this.observer = new ResizeObserver(() => {
      const width = this.element.clientWidth;
      if (!width) return;
      if (!this.plot) this.draw();
      else if (width !== this.plot.width) this.plot.setSize({ width, height: options.height ?? 170 });
    });
    this.observer.observe(this.element);
    keepColours(this);
  }

  update(options: Partial<ChartOptions>): void {
    this.options = { ...this.options, ...options };
    if (options.label) this.element.setAttribute('aria-label', options.label);
    if (this.element.clientWidth) this.draw();
  }

  destroy(): void {
    this.observer.disconnect();
    this.plot?.destroy();
    dropColours(this);
  }

  draw(): void {
    const { options } = this;
    this.plot?.destroy();
    const [soft, line] = [token('--soft'), token('--line')];
    const axis = { stroke: soft, grid: { stroke: line, width: 1 }, ticks: { show: false }, font: `12px ${getComputedStyle(document.body).fontFamily}` };
    const series = options.lines.map((entry): uPlot.Series => {
      const stroke = token(entry.colour ?? '--accent');
      return {
        label: entry.label,
        stroke,
        width: entry.width ?? 2.25,
        dash: entry.dash ? [4, 5] : undefined,
        fill: entry.fill ? `${stroke}${options.bars ? "b0" : "22"}` : undefined,
        spanGaps: true,
        paths: options.bars ? uPlot.paths.bars?.({ size: [0.8, 40] }) : entry.steps ? uPlot.paths.stepped?.({ align: 1 }) : undefined,
        points: { show: entry.dots ?? false, size: 6, fill: stroke },
      };
    });
    this.plot = new uPlot(
      {
        width: this.element.clientWidth,
        height: options.height ?? 170,
        padding: [14, 12, 0, 0],
        cursor: { y: false, points: { size: 8 }, drag: { x: false, y: false } },
        legend: { show: false },
        scales: {
          x: { time: false, range: options.bars ? (_, low, high) => [low - 0.7, high + 0.7] : undefined },
          y: {
            distr: options.log ? 3 : 1,
            range: (_, low, high) => [options.range?.[0] ?? low, options.range?.[1] ?? (high <= (options.range?.[0] ?? low) ? high + 1 : high * (options.markers?.some(({ shape }) => shape !== 'dot') ? 1.25 : 1.05))],
          },
        },
        axes: [
          { ...axis, grid: { show: false }, size: 26, label: options.xLabel, labelSize: 18, labelFont: axis.font, space: 42, values: (_, ticks) => ticks.map(x => (Number.isInteger(x) ? (options.xFormat?.(x) ?? String(x)) : '')).map((text, at, all) => (text === all[at - 1] ? '' : text)) },
          { ...axis, size: 44, space: 34, values: (_, ticks) => ticks.map(y => (options.yFormat ? options.yFormat(y) : y >= 1e6 ? y.toExponential(0) : String(+y.toFixed(3)))) },
        ],
        series: [{}, ...series],
        hooks: {
          draw: [plot => this.drawMarkers(plot)],
          setCursor: [plot => this.showTip(plot)],
          ready: [plot => {
            plot.over.addEventListener('click', () => {
              if (plot.cursor.idx !== null && plot.cursor.idx !== undefined) this.options.pick?.(plot.cursor.idx);
            });
            plot.over.append(this.tip);
          }],
        },
      },
      [options.x, ...options.lines.map(entry => entry.values)] as uPlot.AlignedData,
      this.element,
    );
  }

  private showTip(plot: uPlot): void {
    const { idx, left } = plot.cursor;
    const value = idx === null || idx === undefined ? undefined : this.options.lines.map((_, line) => plot.data[line + 1]?.[idx]).find(y => y !== null && y !== undefined);
    this.tip.hidden = !this.options.say || value === undefined || (left ?? -1) < 0;
    if (this.tip.hidden || idx === null || idx === undefined) return;
    this.tip.textContent = this.options.say!(idx);
    const x = plot.valToPos(plot.data[0]![idx]!, 'x');
    const half = this.tip.offsetWidth / 2;
    this.tip.style.left = `${Math.min(Math.max(x, half), plot.over.clientWidth - half)}px`;
    this.tip.style.top = `${Math.max(plot.valToPos(value!, 'y'), 34)}px`;
  }

  private drawMarkers(plot: uPlot): void {
    const { ctx } = plot;
    const size = 7 * devicePixelRatio;
    for (const marker of this.options.markers ?? []) {
      const y = plot.data[marker.line + 1]?.[marker.index];
      if (y === null || y === undefined) continue;
      const [cx, cy] = [plot.valToPos(plot.data[0]![marker.index]!, 'x', true), plot.valToPos(y, 'y', true)];
      ctx.save();
      ctx.fillStyle = ctx.strokeStyle = token(marker.colour);
      ctx.lineWidth = 2.4 * devicePixelRatio;
      // An earlier dashed line leaves its pattern set.
      ctx.setLineDash([]);
      ctx.beginPath();
      if (marker.shape === 'triangle') {
        const top = cy - 2.6 * size;
        ctx.moveTo(cx, top);
        ctx.lineTo(cx + size, top + 1.6 * size);
        ctx.lineTo(cx - size, top + 1.6 * size);
        ctx.fill();
      } else if (marker.shape === 'cross') {
        const mid = cy - 2 * size;
        ctx.moveTo(cx - 0.7 * size, mid - 0.7 * size);
        ctx.lineTo(cx + 0.7 * size, mid + 0.7 * size);
        ctx.moveTo(cx + 0.7 * size, mid - 0.7 * size);
        ctx.lineTo(cx - 0.7 * size, mid + 0.7 * size);
        ctx.stroke();
      } else {
        ctx.arc(cx, cy, 0.65 * size, 0, 7);
        ctx.fill();
      }
      ctx.restore();
    }
  }
}
