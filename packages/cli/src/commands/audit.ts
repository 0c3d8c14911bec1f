import type { AuditAction, AuditRecord } from "@stemma/client";
import { omitUndefined } from "@stemma/core/internal";
import { listAll, toPageSize } from "../connection/list-all";
import { type ServiceCommandOptions, withService } from "../connection/with-service";
import { printTable } from "../terminal/print";
import type { Terminal } from "../terminal/terminal";

/** Options of `stemma audit`. */
export interface AuditCommandOptions extends ServiceCommandOptions {
	readonly limit: number;
	readonly action?: AuditAction;
}

export async function showAudit(terminal: Terminal, options: AuditCommandOptions): Promise<void> {
	const { limit, action } = options;
	const filter = omitUndefined({ limit: toPageSize(limit), action });
	const records = await withService(options, ({ audit }) => listAll(audit.list(filter), limit));
	printTable(terminal, options, records, {
		header: ["AT", "WHO", "DID", "TO", "DETAILS"],
		toCells: ({ at, actor, action, target, details }) => [at, actor, action, target, formatDetails(details)],
		empty: "Nothing was recorded.",
	});
}

/** `model: small, has_api_key: true` */
const formatDetails = (details: AuditRecord["details"]): string =>
	Object.entries(details)
		.map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
		.join(", ");
