import type { SourceSettings } from "@stemma/client";
import { StemmaError } from "@stemma/core/errors";
import { DomainError } from "../errors/domain-error";
import type { OutboundGate } from "../outbound/outbound-gate";
import { type FolderAccess, resolveFolder } from "./connectors/folder-access";

/** Checks the settings of a source beyond their form: that its addresses may be called, that its folder is allowed. */
export type CheckSource = (settings: SourceSettings) => Promise<void>;

/**
 * @param access - folders that may be sources.
 * @throws from what it returns, DomainError `blocked_address`, `folder_not_allowed`, `folder_not_found`.
 */
export const createCheckSource =
	(gate: Pick<OutboundGate, "check">, access: FolderAccess): CheckSource =>
	async (settings) => {
		try {
			if (settings.kind === "push") return;
			if (settings.kind === "folder") await resolveFolder(settings.path, access);
			else for (const url of listAddresses(settings)) await gate.check(url);
		} catch (error) {
			if (!StemmaError.is(error)) throw error;
			const { code, message, hint } = error;
			throw new DomainError(code, message, {
				...(hint !== undefined && { hint }),
				param: settings.kind === "folder" ? "settings.path" : "settings.url",
				cause: error,
			});
		}
	};

function listAddresses(settings: Exclude<SourceSettings, { kind: "folder" | "push" }>): readonly string[] {
	if (settings.kind === "s3") return settings.endpoint === undefined ? [] : [settings.endpoint];
	if (settings.kind === "git" && settings.archive_url !== undefined)
		return [settings.url, settings.archive_url.replace("{ref}", "ref")];
	return [settings.url];
}
