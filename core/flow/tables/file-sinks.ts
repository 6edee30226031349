import { paths } from './call-paths.ts'
import type { SinkRow } from './sinks.ts'

const PLAIN =
  'readFile readFileSync writeFile writeFileSync appendFile appendFileSync createReadStream createWriteStream unlink unlinkSync rm rmSync rmdir rmdirSync readdir readdirSync ' +
  'mkdir mkdirSync open openSync stat statSync lstat lstatSync opendir opendirSync truncate truncateSync chmod chmodSync chown chownSync utimes utimesSync watch watchFile readlink openAsBlob glob globSync'
/** Facts: fs-extra 11 (README, "Methods"). */
const EXTRA =
  'readJson readJsonSync readJSON readJSONSync writeJson writeJsonSync writeJSON writeJSONSync outputFile outputFileSync outputJson outputJsonSync outputJSON ensureDir ensureDirSync ensureFile ensureFileSync ' +
  'createFile emptyDir emptyDirSync emptydir mkdirp mkdirpSync mkdirs remove removeSync'
const BOTH = 'copyFile copyFileSync rename renameSync cp cpSync symlink symlinkSync link linkSync'
const BOTH_EXTRA = 'copy copySync move moveSync ensureLink ensureSymlink'
const CDS_FILES = 'read readdir stat lstat find mkdirp mkdir rmdir rimraf rm copy'
const CDS = ['global:cds', 'module:@sap/cds']
const CDS_UTILS = CDS.map((cds) => `${cds} utils`)
const CDS_FS = CDS.flatMap((cds) => [`${cds} utils fs`, `${cds} utils fs promises`])
const FS = ['module:fs', 'module:fs/promises', 'module:fs promises', 'module:graceful-fs', 'module:fs-extra']
/** Clients of file servers. */
const SFTP = 'module:ssh2-sftp-client new'
const FTP = 'module:basic-ftp Client new'
const TRAVERSAL = 'cap/path-traversal'

/** Calls that take paths of files. Facts: Node.js 24, "fs"; @sap/cds 9.9.3, lib/utils; Express 5, "Response"; documentation of the packages named. */
export const FILE_SINKS: readonly SinkRow[] = [
  // objects by their keys. Facts: @aws-sdk/client-s3 3; aws-sdk 2, S3 (API references)
  {
    fault: 'cap/object-key-from-request',
    calls: paths(['module:@aws-sdk/client-s3'], 'GetObjectCommand DeleteObjectCommand').map((command) => `${command} new`),
    args: [0],
    onlyFields: true,
    fields: ['Key'],
  },
  {
    fault: 'cap/object-key-from-request',
    calls: paths(['module:aws-sdk S3 new', 'module:aws-sdk/clients/s3 new'], 'getObject deleteObject'),
    args: [0],
    onlyFields: true,
    fields: ['Key'],
  },
  {
    fault: 'cap/object-key-from-request',
    calls: paths(['module:aws-sdk S3 new', 'module:aws-sdk/clients/s3 new'], 'getSignedUrl getSignedUrlPromise'),
    args: [1],
    onlyFields: true,
    fields: ['Key'],
  },
  // files by their names in the account. Facts: cloudinary 2, Upload API reference (`public_id`, `overwrite`: a file of that name is replaced); multer-storage-cloudinary 4, README
  {
    fault: 'cap/object-key-from-request',
    calls: ['module:cloudinary v2 uploader upload'],
    args: [1],
    onlyFields: true,
    fields: ['public_id'],
    detail: 'kept',
  },
  {
    fault: 'cap/object-key-from-request',
    calls: ['module:cloudinary v2 uploader upload_stream'],
    args: [0],
    onlyFields: true,
    fields: ['public_id'],
    detail: 'kept',
  },
  {
    fault: 'cap/object-key-from-request',
    calls: ['module:multer-storage-cloudinary CloudinaryStorage new'],
    args: [0],
    onlyFields: true,
    fields: ['params.public_id'],
    takesFunction: true,
    detail: 'kept',
  },
  {
    fault: TRAVERSAL,
    calls: [...paths([...FS, ...CDS_FS], PLAIN), ...paths(['module:fs-extra'], EXTRA), ...paths(CDS_UTILS, CDS_FILES)],
    args: [0],
  },
  // `write(path, data)`, but `write(data).to(path)`
  { fault: TRAVERSAL, calls: paths(CDS_UTILS, 'write append'), args: [0], only: { minArgs: 2 } },
  {
    fault: TRAVERSAL,
    calls: CDS_UTILS.flatMap((utils) => ['write', 'append', 'copy'].map((name) => `${utils} ${name} () to`)),
    args: [0, 1, 2, 3],
  },
  { fault: TRAVERSAL, calls: paths(CDS_UTILS, 'mkdirp rimraf rmdir rm'), args: [1, 2, 3] },
  {
    fault: TRAVERSAL,
    calls: [...paths([...FS, ...CDS_FS], BOTH), ...paths(['module:fs-extra'], BOTH_EXTRA), ...paths(CDS_UTILS, 'copy')],
    args: [0, 1],
  },
  {
    fault: TRAVERSAL,
    calls: [
      'module:glob',
      'module:fast-glob',
      'module:globby',
      'module:globby globby',
      'module:mkdirp',
      'module:mkdirp mkdirp',
      'module:del',
      'module:del deleteAsync',
      'module:trash',
      'module:exceljs Workbook new xlsx readFile',
      'module:exceljs Workbook new xlsx writeFile',
      'module:exceljs Workbook new csv readFile',
      'module:csvtojson fromFile',
      'module:xlsx readFile',
      'module:unzipper Open file',
      'module:adm-zip new addLocalFile',
      'module:adm-zip new addLocalFolder',
      'module:adm-zip new writeZip',
      'module:archiver () file',
      'module:archiver () directory',
      'module:ejs renderFile',
      ...paths(['module:glob'], 'glob globSync sync'),
      ...paths(['module:rimraf'], 'rimraf rimrafSync sync'),
      'module:rimraf',
      ...paths(['module:pug'], 'renderFile compileFile'),
      ...paths(['module:shelljs'], 'cat rm mkdir ls cp mv touch head tail'),
      ...paths(['module:jsonfile', 'module:load-json-file'], 'readFile readFileSync writeFile writeFileSync'),
    ],
    args: [0],
  },
  // a path, or what a file holds. Fact: sharp 0.34, "Constructor"
  { fault: TRAVERSAL, calls: ['module:sharp'], args: [0], only: { unlessNamed: 'bytes' } },
  // Facts: ssh2-sftp-client 12 (`get(remote, local)`, `put(local, remote)`, where local may be bytes), basic-ftp 6 (`downloadTo(local, remote)`), send 1 (`send(req, path)`), SheetJS (`writeFile(book, path)`)
  {
    fault: TRAVERSAL,
    calls: [
      ...paths([SFTP], 'get fastGet list exists stat delete mkdir rmdir'),
      ...paths([FTP], 'remove cd list removeDir ensureDir'),
    ],
    args: [0],
    detail: 'file-server',
  },
  {
    fault: TRAVERSAL,
    calls: [...paths([SFTP], 'put fastPut append'), ...paths([FTP], 'downloadTo uploadFrom appendFrom')],
    args: [1],
    detail: 'file-server',
  },
  { fault: TRAVERSAL, calls: paths([SFTP, FTP], 'rename'), args: [0, 1], detail: 'file-server' },
  { fault: TRAVERSAL, calls: paths([SFTP], 'get fastGet'), args: [1] },
  {
    fault: TRAVERSAL,
    calls: [...paths([SFTP], 'put fastPut'), ...paths([FTP], 'downloadTo uploadFrom')],
    args: [0],
    only: { unlessNamed: 'bytes' },
  },
  // a workbook of exceljs that a function is given
  {
    fault: TRAVERSAL,
    named: { how: 'call', names: ['readFile', 'writeFile'], on: /^parameter:\S+ (?:xlsx|csv) (?:read|write)File$/ },
    args: [0],
  },
  { fault: TRAVERSAL, calls: ['module:send', 'module:xlsx writeFile', 'module:xlsx writeFileXLSX'], args: [1] },
  // Fact: Express 5, "res.sendFile": with `root` the path stays below that folder
  // send 1.2 answers 403 to a path with a segment `..`, which `path.join` takes away before; `res.download` resolves the path itself
  {
    fault: TRAVERSAL,
    method: { origin: 'response', names: ['sendFile'] },
    args: [0],
    only: { unlessOption: { name: 'root' }, unlessSum: true },
  },
  {
    fault: TRAVERSAL,
    method: { origin: 'response', names: ['download'] },
    args: [0],
    only: { unlessOption: { name: 'root' } },
  },
  { fault: TRAVERSAL, method: { origin: 'response', names: ['render'] }, args: [0] },
  {
    fault: 'cap/zip-slip',
    calls: [
      ...paths(FS, 'writeFile writeFileSync createWriteStream appendFile appendFileSync mkdir mkdirSync'),
      ...paths(['module:fs-extra'], 'outputFile outputFileSync ensureDir ensureDirSync ensureFile mkdirp writeJson outputJson'),
      ...paths(CDS_UTILS, 'mkdirp'),
    ],
    args: [0],
  },
  { fault: 'cap/zip-slip', calls: paths(CDS_UTILS, 'write'), args: [0], only: { minArgs: 2 } },
]
