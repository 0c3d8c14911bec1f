import * as z from "zod";
import { damagedArchiveError, unsupportedArchiveError } from "../archives/archive-error";

const count = z.number().int().nonnegative();

const part = z.object({
	path: z.string(),
	/** Kind of its rows. */
	kind: z.string(),
	bytes: count,
	sha256: z.string().regex(/^[0-9a-f]{64}$/),
	rows: count,
});

const manifest = z.object({
	format: z.literal("stemma-workspace"),
	format_version: z.literal(1),
	created_at: z.string(),
	stemma_version: z.string(),
	/** Versions of the tables that the rows are of. */
	schema_versions: z.object({ deployment: count, workspace: count }),
	workspace: z.object({
		id: z.string().regex(/^ws_[0-9a-z]{26}$/),
		name: z.string().min(1),
		created_at: count,
	}),
	/** Check value of the transfer key; null where the archive has no credentials. */
	transfer_key_check: z.string().nullable(),
	has_vectors: z.boolean(),
	/** Number of the files and texts of documents. */
	contents: count,
	parts: z.array(part),
});

/** Last entry of an exported workspace: what is in it. */
export type WorkspaceManifest = z.infer<typeof manifest>;
export type WorkspacePart = WorkspaceManifest["parts"][number];

export const WORKSPACE_FORMAT = { format: "stemma-workspace", format_version: 1 } as const;

/**
 * Parses the manifest of an exported workspace.
 *
 * @throws ArchiveError `archive_damaged`, `archive_unsupported`
 */
export function parseWorkspaceManifest(text: string, file: string): WorkspaceManifest {
	const value = parseJson(text);
	const version = z
		.object({ format: z.literal("stemma-workspace"), format_version: z.number() })
		.safeParse(value);
	if (!version.success) throw damagedArchiveError(file, "its manifest is not that of an exported workspace");
	if (version.data.format_version > WORKSPACE_FORMAT.format_version)
		throw unsupportedArchiveError(file, `format ${version.data.format_version}`);
	const parsed = manifest.safeParse(value);
	if (!parsed.success) throw damagedArchiveError(file, "its manifest is incomplete", parsed.error);
	return parsed.data;
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
