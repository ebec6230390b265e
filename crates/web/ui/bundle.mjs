// Bundles the pages into dist/: the script of the frame, one for each page, one style sheet, and the static files.
import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';

await mkdir('dist', { recursive: true });
await cp('static', 'dist', { recursive: true });
await build({
  entryPoints: { app: 'src/main.ts', theme: 'src/theme.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  chunkNames: '[name]-[hash]',
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

// The worker keeps all of them, under a name that changes when they do.
const files = (await readdir('dist')).filter(name => /\.(js|css|svg|woff2)$/.test(name) && name !== 'worker.js').sort();
const version = createHash('sha256');
for (const name of files) version.update(await readFile(`dist/${name}`));
const worker = await readFile('static/worker.js', 'utf8');
await writeFile('dist/worker.js', worker
  .replace("'errare-pages'", `'errare-pages-${version.digest('hex').slice(0, 16)}'`)
  .replace('const FILES = []', `const FILES = ${JSON.stringify(files.map(name => `/assets/${name}`))}`));
