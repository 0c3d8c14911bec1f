export type { Service } from "./assemble-service";
export type { WorkspaceCredentials } from "./auth/bootstrap-credentials";
export { createOperatorClient, type OperatorClient } from "./auth/operator-client";
export type {
	BackupManifest,
	BackupPart,
	DatabaseManifest,
	DataFolderManifest,
} from "./backup/backup-manifest";
export type { CreateBackupOptions, RestoreBackupOptions } from "./backup/backup-options";
export { type Backup, createBackup } from "./backup/create-backup";
export type { RestoredDatabase } from "./backup/postgres/restore-database";
export { type RestoredBackup, restoreBackup } from "./backup/restore-backup";
export type { RestoredFolder } from "./backup/sqlite/restore-folder";
export type {
	Configuration,
	LimitsConfiguration,
	ListenConfiguration,
	LogLevel,
} from "./configuration/configuration";
export type { ConfigurationInput } from "./configuration/configuration-file";
export type { Environment, Setting } from "./configuration/environment-settings";
export { printConfiguration } from "./configuration/print-configuration";
export { type ReadConfigurationOptions, readConfiguration } from "./configuration/read-configuration";
export { type ConfigurationSources, resolveConfiguration } from "./configuration/resolve-configuration";
export { createService, type ServiceOptions } from "./create-service";
export { type CheckDataFolderOptions, checkDataFolder } from "./doctor/check-data-folder";
export type {
	CheckedFile,
	DataFolderProblem,
	DataFolderReport,
	ReportedInstance,
} from "./doctor/data-folder-report";
export { type KeyRotation, type RotateKeysOptions, rotateKeys } from "./encryption/rotate-keys";
export { createLoginLink, type LoginLink, type LoginLinkOptions } from "./people/login-link";
export { type RunningService, type StartServiceOptions, startService } from "./start-service";
export {
	checkUpgrade,
	type TriedFile,
	type UpgradeCheck,
	type UpgradeOptions,
} from "./upgrade/check-upgrade";
export { findSnapshot, type UndoneUpgrade, undoUpgrade } from "./upgrade/undo-upgrade";
export { type Upgrade, upgradeDataFolder } from "./upgrade/upgrade-data-folder";
export {
	type ExportedWorkspace,
	type ExportWorkspaceOptions,
	exportWorkspace,
} from "./workspace-archives/export-workspace";
export {
	type ImportedWorkspace,
	type ImportWorkspaceOptions,
	importWorkspace,
} from "./workspace-archives/import-workspace";
export { openTransferKey } from "./workspace-archives/transfer-key";
export type { WorkspaceManifest } from "./workspace-archives/workspace-manifest";
export type { BootstrapCredentials } from "./workspaces/bootstrap";
