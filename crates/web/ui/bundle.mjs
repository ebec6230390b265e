// Bundles the pages into dist/: one script, one style sheet, and the static files.
import { build } from 'esbuild';
import { cp, mkdir } from 'node:fs/promises';

await mkdir('dist', { recursive: true });
await cp('static', 'dist', { recursive: true });
await build({
  entryPoints: { app: 'src/main.ts', theme: 'src/theme.ts' },
  outdir: 'dist',
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  logLevel: 'warning',
});
await build({
  entryPoints: { app: 'style/app.css' },
  outdir: 'dist',
  bundle: true,
  minify: true,
  assetNames: '[name]',
  loader: { '.svg': 'dataurl', '.woff2': 'file' },
  logLevel: 'warning',
});
