import type { Logger } from "pino";
import type { Configuration } from "./configuration/configuration";
import type { RestrictedFiles } from "./store/data-folder/private-files";
import type { UnavailableWorkspace } from "./workspaces/unavailable-workspace";

/** Files that others could read were made by an earlier version, or by somebody else. */
export function logRestrictedFiles({ restricted, open }: RestrictedFiles, logger: Logger): void {
	if (restricted.length > 0)
		logger.warn(
			{ code: "data_folder_tightened", files: restricted },
			"files of the data folder were open to other users of this machine; now only their owner has access",
		);
	if (open.length > 0)
		logger.warn(
			{ code: "data_folder_open", files: open },
			"files of the data folder are open to other users of this machine: close them with chmod go=, or give the service a folder of its own",
		);
}

/** The others are served; this one is opened again from time to time. */
export function logUnavailable({ id, problem, error }: UnavailableWorkspace, logger: Logger): void {
	const line = { code: "workspace_unavailable", workspace: id, problem: problem.code, err: error };
	logger.error(line, `a workspace is unavailable, the others are served: ${problem.message} ${problem.hint}`);
}

/** Files of workspaces that another deployment knew, or a later state of this one. */
export function logUnknownFiles(files: readonly string[], logger: Logger): void {
	if (files.length > 0)
		logger.warn(
			{ code: "workspace_files_unknown", files },
			"the deployment knows no workspaces of these files: move them away, or restore the deployment.sqlite that knows them",
		);
}

/**
 * Warns of providers that are configured and that nothing uses: an operator who configures one usually wants it to
 * answer.
 */
export function warnUnusedProviders({ providers, chat }: Configuration, logger: Logger): void {
	const names = Object.keys(providers);
	if (chat !== undefined || names.length === 0) return;
	logger.warn(
		{ providers: names },
		'the built-in model answers: "chat" names none of the providers that are configured',
	);
}
