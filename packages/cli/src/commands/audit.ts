import type { AuditAction, AuditRecord } from "@stemma/client";
import { listFirst } from "../connection/list-first";
import { type ConnectionOptions, withService } from "../connection/with-service";
import { sanitizeText, type Terminal } from "../terminal/terminal";
import { formatJson } from "../terminal/text/format-json";
import { formatTable } from "../terminal/text/table";

/** Options of `stemma audit`. */
export interface AuditCommandOptions extends ConnectionOptions {
	readonly limit: number;
	readonly action?: AuditAction;
	readonly json: boolean;
}

const MAX_PAGE_SIZE = 100;

export async function showAudit(terminal: Terminal, options: AuditCommandOptions): Promise<void> {
	const { limit, action, json } = options;
	const filter = { limit: Math.min(limit, MAX_PAGE_SIZE), ...(action === undefined ? {} : { action }) };
	const records = await withService(options, ({ audit }) => listFirst(audit.list(filter), limit));
	terminal.stdout.write(json ? `${formatJson(records)}\n` : formatRecords(records));
}

const HEADER = ["AT", "WHO", "DID", "TO", "DETAILS"];

const formatRecords = (records: readonly AuditRecord[]): string =>
	records.length === 0 ? "Nothing was recorded.\n" : formatTable([HEADER, ...records.map(toCells)]);

const toCells = ({ at, actor, action, target, details }: AuditRecord): string[] =>
	[at, actor, action, target, formatDetails(details)].map(sanitizeText);

/** `model: small, has_api_key: true` */
const formatDetails = (details: AuditRecord["details"]): string =>
	Object.entries(details)
		.map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
		.join(", ");
