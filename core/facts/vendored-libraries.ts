/** How a library that was copied into a project is known: by the banner that its publisher puts at the top, never by its code. */
export interface LibraryBanner {
  /** Its name at npm, by which advisories know it. */
  readonly package: string
  /** A line of the banner, as the source of a regular expression; its first group is the version, if the banner has it. */
  readonly line: string
  /** Where it does not: what the version stands in, anywhere in the text. */
  readonly version?: RegExp
}

/** Facts: the banners of the files that these libraries publish (npm packages and release archives), as of 2026-11-20. */
export const LIBRARY_BANNERS: readonly LibraryBanner[] = [
  { package: 'jquery', line: 'jQuery (?:JavaScript Library )?v(V)' },
  { package: 'jquery-ui', line: 'jQuery UI (?:- )?v?(V)' },
  { package: 'jquery-validation', line: 'jQuery Validation Plugin (?:- )?v(V)' },
  { package: 'lodash', line: '(?:lodash|Lo-Dash) (V) \\(Custom Build\\)' },
  {
    package: 'lodash',
    line: 'Lodash <?(?:https?://)?lodash\\.com',
    version: /\bVERSION\s?=\s?["'](\d{1,4}\.\d{1,4}\.\d{1,4})["']/,
  },
  { package: 'underscore', line: 'Underscore\\.js (V)' },
  { package: 'moment', line: 'moment\\.js\\r?\\n//! version : (V)' },
  { package: 'moment-timezone', line: 'moment-timezone\\.js\\r?\\n//! version : (V)' },
  { package: 'handlebars', line: 'handlebars v(V)' },
  { package: 'angular', line: 'AngularJS v(V)' },
  { package: 'bootstrap', line: 'Bootstrap v(V)' },
  { package: 'bootstrap', line: 'bootstrap\\.js v(V)' },
  { package: 'bootstrap-select', line: 'Bootstrap-select v(V)' },
  { package: 'dompurify', line: 'DOMPurify (V)' },
  // up to 2.2: the licence that the banner links to may be that of an earlier version
  {
    package: 'dompurify',
    line: 'DOMPurify \\| \\(c\\) Cure53',
    version: /\.version\s?=\s?["'](\d{1,4}\.\d{1,4}\.\d{1,4})["']/,
  },
  { package: 'jszip', line: 'JSZip v(V)' },
  {
    package: 'xlsx',
    line: 'xlsx\\.js \\(C\\) [\\w-]{4,20} SheetJS',
    version: /\bmake_xlsx_lib\([\w$]{1,10}\)\s?\{\s{0,10}[\w$]{1,10}\.version\s?=\s?["'](\d{1,4}\.\d{1,4}\.\d{1,4})["']/,
  },
  { package: 'vue', line: 'Vue\\.js v(V)' },
  { package: 'chart.js', line: 'Chart\\.js v(V)' },
  { package: 'chart.js', line: 'Chart\\.js\\r?\\n\\s{1,12}\\* https?://[\\w.]{1,30}/\\r?\\n\\s{1,12}\\* Version: (V)' },
  {
    package: 'pdfjs-dist',
    line: 'Copyright 20\\d\\d Mozilla Foundation',
    version: /\bpdfjsVersion\s?=\s?["'](\d{1,4}\.\d{1,4}\.\d{1,4})["']/,
  },
  {
    package: 'ckeditor4',
    line: 'Copyright \\(c\\) 2003-20\\d\\d, CKSource',
    version: /\btimestamp:["'][\w.]{1,20}["'],version:["'](4\.\d{1,4}\.\d{1,4})\b/,
  },
  { package: 'tinymce', line: 'TinyMCE version (V)' },
  { package: 'tinymce', line: 'Copyright \\(c\\) Tiny[^]{1,300}?\\n\\s{1,12}\\* Version: (V)' },
  { package: 'axios', line: '[Aa]xios v(V)' },
  {
    package: 'jspdf',
    line: 'jsPDF - PDF Document creation from JavaScript\\r?\\n\\s{1,12}\\* Version (V)(?: Built on [^\\n]{1,40})?',
  },
  { package: 'marked', line: 'marked v(V)' },
  { package: 'markdown-it', line: 'markdown-it (V)' },
  { package: 'highlight.js', line: '[Hh]ighlight\\.js v(V)' },
  { package: 'showdown', line: 'showdown v ?(V)' },
  { package: 'quill', line: 'Quill Editor v(V)' },
  { package: 'datatables.net', line: 'DataTables (V)' },
  { package: 'papaparse', line: 'Papa Parse\\r?\\nv(V)' },
  { package: 'crypto-js', line: 'CryptoJS v(V)' },
  { package: 'knockout', line: 'Knockout JavaScript library v(V)' },
  { package: 'select2', line: 'Select2 (V)' },
  { package: 'pdfmake', line: 'pdfmake v(V)' },
  { package: 'nunjucks', line: 'Browser bundle of nunjucks (V)' },
]

/** What files of these libraries are called before their version. */
export const LIBRARY_FILES: ReadonlyMap<string, string> = new Map([
  ['jquery', 'jquery'],
  ['jquery-ui', 'jquery-ui'],
  ['jquery.ui', 'jquery-ui'],
  ['jquery.validate', 'jquery-validation'],
  ['lodash', 'lodash'],
  ['underscore', 'underscore'],
  ['moment', 'moment'],
  ['moment-with-locales', 'moment'],
  ['moment-timezone', 'moment-timezone'],
  ['handlebars', 'handlebars'],
  ['angular', 'angular'],
  ['bootstrap', 'bootstrap'],
  ['dompurify', 'dompurify'],
  ['purify', 'dompurify'],
  ['jszip', 'jszip'],
  ['xlsx', 'xlsx'],
  ['vue', 'vue'],
  ['chart', 'chart.js'],
  ['tinymce', 'tinymce'],
  ['axios', 'axios'],
  ['jspdf', 'jspdf'],
  ['marked', 'marked'],
  ['markdown-it', 'markdown-it'],
  ['highlight', 'highlight.js'],
  ['showdown', 'showdown'],
  ['quill', 'quill'],
  ['papaparse', 'papaparse'],
  ['crypto-js', 'crypto-js'],
  ['knockout', 'knockout'],
  ['select2', 'select2'],
  ['pdfmake', 'pdfmake'],
  ['nunjucks', 'nunjucks'],
])
