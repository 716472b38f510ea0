// page/build.mjs MODULES OUTPUT: everything of the report page that does not depend on a model, as one C++ file.
//
//   charts/NAME.vl.json  Vega-Lite, compiled to Vega here: the page carries Vega and its interpreter only
//   source/*.js          bundled with Vega to one script
//   page.css             one style sheet
//
// MODULES is a folder in which `npm ci` has been run. The script and the style sheet are allowed by their hashes in the
// page's Content-Security-Policy, and nothing else is.
import {createHash} from 'node:crypto';
import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {basename, dirname, join, resolve} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const modules = resolve(process.argv[2]);
const output = process.argv[3];
const packages = createRequire(join(modules, 'package.json'));
const esbuild = packages('esbuild');
const {compile} = await import(pathToFileURL(join(modules, 'node_modules/vega-lite/build/index.js')).href);

// Marks say nothing to screen readers: a chart is one picture with a description, and its numbers are in a table.
function silent(group) {
  for (const part of [...(group.marks ?? []), ...(group.axes ?? []), ...(group.legends ?? [])]) {
    part.aria = false;
    silent(part);
  }
}

const config = JSON.parse(readFileSync(join(here, 'theme.json'), 'utf8'));
// Marks of axes have no exponents from a thousandth to a billion, and no separators below ten thousand: years are 1950.
config.axisQuantitative.labelExpr =
  "indexof(datum.label, 'e') >= 0 && abs(datum.value) >= 1e-3 && abs(datum.value) < 1e9 " +
  "? format(datum.value, abs(datum.value) < 1e4 ? '.3~r' : ',.3~r') " +
  ": abs(datum.value) < 1e4 ? replace(datum.label, ',', '') : datum.label";
const charts = {};
for (const file of readdirSync(join(here, 'charts')).sort()) {
  if (!file.endsWith('.vl.json')) continue;
  const warnings = [];
  // Said of every chart whose height is a step for each name, which is meant.
  const note = (...words) => words.join(' ').startsWith('Dropping "fit-y"') || warnings.push(words.join(' '));
  const logger = {level: () => logger, error: note, warn: note, info: () => logger, debug: () => logger};
  const {spec} = compile(JSON.parse(readFileSync(join(here, 'charts', file), 'utf8')), {config, logger});
  if (warnings.length) throw new Error(`${file}: ${warnings.join('; ')}`);
  delete spec.$schema;
  silent(spec);
  charts[basename(file, '.vl.json')] = spec;
}

const bundle = await esbuild.build({
  entryPoints: [join(here, 'source/page.js')],
  bundle: true, minify: true, write: false, metafile: true, format: 'iife', target: 'es2020', platform: 'browser',
  charset: 'ascii', legalComments: 'none', nodePaths: [join(modules, 'node_modules')],
  plugins: [{
    name: 'charts',
    setup(build) {
      build.onResolve({filter: /^charts$/}, () => ({path: 'charts', namespace: 'charts'}));
      build.onLoad({filter: /.*/, namespace: 'charts'}, () => ({contents: JSON.stringify(charts), loader: 'json'}));
    },
  }],
});

// The licences of what is in the bundle go with it; packages that share a text share one copy.
const licences = new Map();
for (const input of Object.keys(bundle.metafile.inputs)) {
  const name = input.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1];
  if (!name) continue;
  const folder = join(modules, 'node_modules', name);
  const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt'].map(f => join(folder, f)).find(existsSync);
  const text = file ? readFileSync(file, 'utf8').trim().replaceAll('*/', '* /')
                    : JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).license;
  if (!licences.has(text)) licences.set(text, new Set());
  licences.get(text).add(name);
}
const notices = [...licences].map(([text, names]) => `${[...names].sort().join(', ')}\n\n${text}`).join('\n\n');
const script = `/*\n${notices}\n*/\n${bundle.outputFiles[0].text}`.replaceAll('</script', '<\\/script');
const css = readFileSync(join(here, 'page.css'), 'utf8');
const style = (await esbuild.transform(css, {loader: 'css', minify: true, charset: 'ascii'})).code;

const hash = text => `sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}`;
// Pieces of a literal, as compilers limit the length of one and join neighbours.
const literal = text => Buffer.from(text, 'utf8').toString('latin1').match(/[^]{1,4000}/g)
  .map(piece => '"' + piece.replace(/[\\"?]/g, '\\$&').replace(/\n/g, '\\n')
    .replace(/[^\x20-\x7e]/g, c => `\\${c.charCodeAt(0).toString(8).padStart(3, '0')}`) + '"').join('\n');
const names = Object.keys(charts).map(n => `"${n}", `).join('');
writeFileSync(output, `// Made by page/build.mjs.
#include "lacuna/report/page/assets.hpp"
#pragma GCC diagnostic ignored "-Woverlength-strings"

namespace lacuna {

const PageAssets& page_assets() {
  static const PageAssets all{
      .missing = "",
      .charts = {${names}},
      .script_hash = "${hash(script)}",
      .style_hash = "${hash(style)}",
      .script = ${literal(script)},
      .style = ${literal(style)}};
  return all;
}

}  // namespace lacuna
`);
console.log(`page: ${Object.keys(charts).length} charts, script ${Math.round(script.length / 1024)} kB, style ${
  Math.round(style.length / 1024)} kB`);
