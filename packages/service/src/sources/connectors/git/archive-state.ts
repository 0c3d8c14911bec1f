import { extname } from "node:path";
import type { GitSourceSettings } from "@stemma/client";
import { isJsonObject, parseJson } from "@stemma/core/internal";
import type { ScanContext } from "../connector";

/** Archive as a complete scan has read it. */
export interface ReadArchiveState {
	/** Entity tag of the archive (RFC 9110, section 8.8.3). */
	readonly etag: string;
	/** Kinds of files that the service did not read, as {@link toKind} gives them. */
	readonly omitted: ReadonlySet<string>;
}

/** Longest state that is stored; without one, the archive is downloaded each time. */
const MAX_STATE_CHARACTERS = 16_000;

/** Kind of a file by its name: its extension, else the name itself. */
export function toKind(path: string): string {
	const name = path.slice(path.lastIndexOf("/") + 1);
	return extname(name).toLowerCase() || name;
}

/** Stores what the next scan needs to know that it would find the same: the archive, and all that decides what is read of it. */
export function writeArchiveState(
	{ etag, omitted }: ReadArchiveState,
	settings: GitSourceSettings,
	{ limits, setState }: Pick<ScanContext, "limits" | "setState">,
): void {
	const { maxItemBytes } = limits;
	const state = JSON.stringify({ etag, omitted: [...omitted].sort(), settings, maxItemBytes });
	if (state.length <= MAX_STATE_CHARACTERS) setState(state);
}

/** Entity tag of the archive that was read last; `undefined` where it would be read differently now. */
export function readArchiveState(
	settings: GitSourceSettings,
	{ state, limits, isDocument }: Pick<ScanContext, "state" | "limits" | "isDocument">,
): string | undefined {
	const known = state === null ? undefined : parseJson(state);
	if (!isJsonObject(known)) return undefined;
	const { etag, omitted, maxItemBytes } = known;
	const isSame =
		JSON.stringify(known.settings) === JSON.stringify(settings) && maxItemBytes === limits.maxItemBytes;
	if (!isSame || typeof etag !== "string" || !Array.isArray(omitted)) return undefined;
	const isReadNow = omitted.some((kind) => isDocument(`name${kind}`) || isDocument(String(kind)));
	return isReadNow ? undefined : etag;
}
