"""How the page of a report looks: on screens, light and dark, wide and narrow, and on paper in black and white."""

STYLE = """
:root {
  --paper: #ffffff; --ink: #1b1f24; --soft: #545d68; --line: #d0d7de; --band: #f4f6f8; --zone: #d9eadd;
  --good: #1a6b32; --warn: #8a5300; --bad: #b3261e; --mark: #0b57d0;
  color-scheme: light dark;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #12161b; --ink: #e6edf3; --soft: #a3adb8; --line: #343c45; --band: #1b2128; --zone: #20392a;
    --good: #6bd48a; --warn: #f0b75a; --bad: #ff9b92; --mark: #8ab4f8;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 1.5rem 1.25rem 4rem; max-width: 62rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  overflow-wrap: break-word;
}
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .25rem; }
h2 { font-size: 1.2rem; line-height: 1.3; margin: 2.5rem 0 .5rem; padding-bottom: .3rem; }
h2 { border-bottom: 1px solid var(--line); }
p { margin: .5rem 0; max-width: 46rem; }
.soft { color: var(--soft); }
.banner {
  margin: 0 0 1.5rem; padding: .5rem 1rem; text-align: center; font-weight: 700; letter-spacing: .04em;
  border: 2px solid var(--bad); color: var(--bad); border-radius: .4rem; max-width: none;
}
.verdict { margin: 1.25rem 0; padding: 1rem 1.25rem; background: var(--band); border-left: .4rem solid; }
.verdict { border-radius: .25rem; }
.verdict.ready { border-left-color: var(--good); } .verdict.look { border-left-color: var(--warn); }
.verdict.fails { border-left-color: var(--bad); }
.verdict h2 { margin: 0 0 .5rem; padding: 0; border: 0; font-size: 1.3rem; }
.verdict ul { margin: .5rem 0 0; padding: 0; list-style: none; }
.verdict li { display: grid; grid-template-columns: 1.6rem 1fr; margin: .3rem 0; }
.yes, .ready h2 { color: var(--good); } .maybe, .look h2 { color: var(--warn); } .no, .fails h2 { color: var(--bad); }
.sign { font-weight: 700; }
table { border-collapse: collapse; width: 100%; margin: .75rem 0; font-size: .94rem; }
.caption { color: var(--soft); max-width: none; }
th, td { text-align: left; vertical-align: top; padding: .45rem .75rem .45rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; } thead th { color: var(--soft); font-size: .86rem; vertical-align: bottom; }
th, td { overflow-wrap: anywhere; } tbody th { min-width: 9rem; } td { min-width: 4.2rem; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; overflow-wrap: normal; }
.yes, .no, .maybe { white-space: nowrap; } .verdict .yes, .verdict .no, .verdict .maybe { white-space: normal; }
tfoot th, tfoot td { border-bottom: 0; font-weight: 600; }
.note { display: block; color: var(--soft); font-weight: 400; font-size: .88rem; }
code { font: .86em/1.4 ui-monospace, "SF Mono", Consolas, "Liberation Mono", monospace; overflow-wrap: anywhere; }
pre { background: var(--band); padding: .75rem 1rem; border-radius: .25rem; white-space: pre-wrap; margin: .75rem 0; }
.picture { width: 13rem; min-width: 9rem; }
svg { display: block; width: 100%; height: auto; max-width: 15rem; }
.track { stroke: var(--line); stroke-width: 1.5; } .ceiling { stroke: var(--ink); stroke-width: 2.5; }
.zone { fill: var(--zone); } .chance { stroke: var(--ink); stroke-width: 2; stroke-dasharray: 3 2.5; }
.reach { stroke: var(--mark); stroke-width: 2; fill: none; }
.way { stroke: var(--soft); stroke-width: 1.2; stroke-dasharray: 1.5 3; }
.before { fill: var(--paper); stroke: var(--soft); stroke-width: 2; }
.after { fill: var(--mark); stroke: var(--mark); stroke-width: 1; }
.lost { fill: var(--bad); stroke: var(--bad); }
.scale { fill: var(--soft); font: 11.5px system-ui, sans-serif; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: .5rem 0; padding: 0; list-style: none; }
.legend li { display: flex; align-items: center; gap: .4rem; font-size: .9rem; color: var(--soft); }
.legend svg { width: 1.5rem; flex: none; }
.versions { columns: 15rem; padding: 0; list-style: none; font-size: .94rem; } .versions li { break-inside: avoid; }
td code { font-size: .8em; }
footer { margin-top: 3rem; color: var(--soft); font-size: .9rem; }
@media screen and (max-width: 44rem) {
  body { padding: 1rem .9rem 3rem; }
  thead, td:has(> span:empty) { display: none !important; }
  table, tbody, tfoot, tr, th, td { display: block; width: auto; }
  tbody tr, tfoot tr { padding: .6rem 0; border-bottom: 1px solid var(--line); }
  th, td, .number { border: 0; padding: .1rem 0; text-align: left; }
  .number { white-space: normal; }
  td[data-name] { display: grid; grid-template-columns: minmax(7rem, 35%) 1fr; gap: .75rem; }
  td[data-name]::before { content: attr(data-name); color: var(--soft); font-size: .88rem; }
  .picture { width: auto; max-width: 20rem; } td.picture[data-name] { display: block; }
  td.picture[data-name]::before { content: none; }
}
@page { size: auto; margin: 17mm 16mm 18mm; @bottom-right { content: counter(page) " / " counter(pages); } }
@page { @bottom-right { font: 9pt system-ui, sans-serif; color: #444; } }
@media print {
  :root {
    --paper: #fff; --ink: #000; --soft: #333; --line: #999; --band: #fff; --zone: #e4e4e4;
    --good: #000; --warn: #000; --bad: #000; --mark: #000; color-scheme: light;
  }
  html { font-size: 9.5pt; }
  body { max-width: none; padding: 0; line-height: 1.4; }
  h2 { margin-top: 1.8rem; break-after: avoid; }
  .verdict { border: 1.5pt solid #000; border-left-width: 6pt; break-inside: avoid; }
  thead { display: table-header-group; } tr, li, pre, p { break-inside: avoid; }
  .caption, .legend { break-after: avoid; } .short { break-inside: avoid; } pre { border: 1px solid #999; }
  td { min-width: 21mm; } .number { min-width: 0; }
  .picture { width: 42mm; } .zone, .after { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .banner { border-width: 1.5pt; } td code { font-size: 6.6pt; }
  footer { margin-top: 1.2rem; break-before: avoid; }
}
"""

RUNNING = """
@page { @top-center { content: "%s"; font: 700 9pt system-ui, sans-serif; color: #000; } }
@page :first { @top-center { content: none; } }
"""
"""What stands at the top of every printed page."""
