/** Templates for tools that few use, without words of explanation: one pattern after the other. */
const patterns: Readonly<Record<string, string>> = {
  AL: '.alpackages/ .alcache/ .alTemplates/ *.app *.g.xlf rad.json .snapshots/ *.flf',
  Alteryx: '*.bak *.yxmd.bak *.yxmc.bak *.yxwz.bak *.yxdb',
  AltiumDesigner:
    'History/ __Previews/ Project?Logs*/ Project?Outputs*/ *.SchDocPreview *.PcbDocPreview *.Zip',
  AtmelStudio: 'Debug/ Release/ *.hex *.elf *.eep *.lss *.map *.srec *.o *.d *.atsuo',
  AutoIt: '*.a3x *.exe BackUp/ *.au3.bak',
  AutomationStudio: 'Binaries/ Diagnosis/ Temp/ *.set *.bak',
  B4X: '*.exe Objects/ AutoBackups/ *.meta',
  Ballerina: 'target/ Dependencies.toml Config.toml *.jar',
  Beef: 'build/ recovery/ BeefSpace_User.toml',
  Bitrix:
    '/bitrix/* !/bitrix/templates !/bitrix/components !/bitrix/php_interface /bitrix/php_interface/dbconn.php /upload/',
  CDK: '*.js !jest.config.js *.d.ts node_modules/ cdk.out/ .cdk.staging/ .parcel-cache/',
  CodeSniffer: '.phpcs.xml .phpcs-cache .phpcs.cache',
  Drupal7: 'sites/*/files/ sites/*/private/ sites/*/settings*.php *.log',
  'ECU-TEST': '*.pyc .workspace/ TestReports/ Temp/ *.bak',
  FlaxEngine: 'Binaries/ Cache/ Logs/ Output/ Screenshots/ *.HotReload.* *.csproj *.sln .vs/',
  GNOMEShellExtension: 'schemas/gschemas.compiled *.shell-extension.zip *.mo',
  GitHubPages: '_site/ .sass-cache/ .jekyll-cache/ .jekyll-metadata vendor/ .bundle/',
  'Go.AllowList': '* !/.gitignore !*.go !go.sum !go.mod !README.md !LICENSE !Makefile !*/',
  Gretl: '*.gretl.bak string_table.txt gretltmp.*',
  IAR: 'Debug/ Release/ Obj/ List/ Exe/ settings/ *.dep *.ewt *.o *.pbi *.cout',
  IAR_EWARM: '**/Debug/ **/Release/ **/Exe/ **/Obj/ **/List/ **/settings/ *.dep *.out *.map *.hex',
  InforCMS: 'Model/*.cs deployment/ *.user *.suo bin/ obj/',
  JBoss4:
    'server/all/data server/all/log server/all/tmp server/all/work server/default/data server/default/log server/default/tmp server/default/work',
  JBoss6: 'server/*/data server/*/log server/*/tmp server/*/work server/*/svcstore',
  JENKINS_HOME:
    '* !.gitignore !/jobs/ !/jobs/*/ !/jobs/*/config.xml !/nodes/ !/nodes/*/ !/nodes/*/config.xml !/users/ !/users/*/ !/users/*/config.xml !/*.xml',
  Jigsaw: 'build_local/ build_production/ build_staging/ node_modules/ vendor/ cache/',
  Kentico:
    'CMS/App_Data/CIRepository/*/*.bak CMS/App_Data/CMSTemp/ CMS/App_Data/Persistent/ CMS/CMSImportFiles/ CMS/CMSSiteUtils/Export/ [Bb]in/ [Oo]bj/',
  LensStudio: 'Cache/ Workspaces/ *.autosave .lens-studio-lock',
  Logtalk: '.lgt_tmp/ .logtalk_tmp/ lgt_tmp/ logtalk_tester_logs/ *.totals',
  Magento1:
    '/var/* !/var/.htaccess /media/* !/media/.htaccess /app/etc/local.xml /includes/src/ /errors/local.xml',
  Magento2:
    '/var/* !/var/.htaccess /generated/* !/generated/.htaccess /pub/media/* /pub/static/* /app/etc/env.php /app/etc/config.php /vendor/ auth.json',
  Modelica:
    '*~ *.bak-mo dsin.txt dsfinal.txt dslog.txt dymosim* buildlog.txt *.mat *_init.xml *_info.json',
  Move: 'build/ storage/ .coverage_map.mvcov .trace',
  NWjs: 'node_modules/ build/ dist/ cache/ *.nw *.log',
  NasaSpecsIntact: '*.bak *.tmp SIReports/ *.lck',
  NotesAndCoreConfiguration:
    '.obsidian/* !.obsidian/app.json !.obsidian/appearance.json !.obsidian/core-plugins.json .trash/',
  NotesAndExtendedConfiguration:
    '.obsidian/workspace.json .obsidian/workspace-mobile.json .obsidian/cache .trash/',
  NotesOnly: '.obsidian/ .trash/',
  OpenSSL: '*.key *.pem *.p12 *.pfx *.csr *.crt *.der *.srl',
  PSoCCreator:
    'Export/ codegentemp/ Generated_Source/ *_datasheet.pdf *_timing.html *.cycdx *.cyfit *.rpt',
  Pimcore: '/var/* !/var/config/ /public/var/ /vendor/ /public/bundles/ .env.local',
  ROS2: 'install/ log/ build/ *.pcd *.pyc qtcreator-*',
  Red: '*.dll *.exe *.so *.dylib crush.* libRedRT* *-include.red',
  SAM: '.aws-sam/ samconfig.toml packaged.yaml',
  SPFx: 'node_modules/ lib/ dist/ temp/ release/ solution/ *.sppkg .rush/ *.scss.ts *.log',
  Snap: 'parts/ prime/ stage/ *.snap *_source.tar.bz2 .snapcraft/',
  Splunk: 'local/ metadata/local.meta lookups/*.csv.default *.pyc',
  ThinkPHP: '/vendor/ /runtime/ /Application/Runtime/ .env /public/uploads/',
  Toit: '.packages/ package.lock *.snapshot *.toit.bak',
  TwinCAT3:
    '_Boot/ _CompileInfo/ _Libraries/ _ModuleInstall/ *.tclrs *.compiled-library *.compileinfo *.bak *.tpy *.tmc~ .vs/',
  UiPath: '.local/ .screenshots/ .settings/ .tmh/ .objects/ *.nupkg',
  Virtuoso: '*.cdslck *.oa- *.log CDS.log* .cadence/ libManager.log panic.log',
  Xilinx: '*.cache/ *.hw/ *.ip_user_files/ *.runs/ *.sim/ .Xil/ *.jou *.str *.log *.bit',
  core: 'core core.* vgcore.*',
  uVision:
    '*.bak *.uvgui.* *.uvguix.* *.dep Listings/ Objects/ *.axf *.crf *.map *.lst *.hex JLinkLog.txt',
}

export const rareGitignores: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(patterns).map(([name, text]) => [name, `${text.replaceAll(' ', '\n')}\n`]),
)
