import { A2aServerError } from "../a2a-server-error";

/** The one version that is spoken here. */
export const PROTOCOL_VERSION = "1.0";

/**
 * Checks the protocol version. A request without one uses version 0.3, which is another protocol (A2A 1.0.1, section
 * 3.6.2). A query parameter may replace the header.
 *
 * @throws A2aServerError `VERSION_NOT_SUPPORTED`.
 */
export function assertVersion({ headers, url }: Request): void {
	const version = headers.get("a2a-version") || new URL(url).searchParams.get("A2A-Version") || "0.3";
	// Patches do not count (section 3.6).
	if (/^1\.0(\.\d+)?$/.test(version.trim())) return;
	throw new A2aServerError(
		"VERSION_NOT_SUPPORTED",
		`Version ${JSON.stringify(version.slice(0, 20))} of A2A is not supported.`,
		{ hint: `Send the header A2A-Version: ${PROTOCOL_VERSION}, which is the supported version.` },
	);
}

/** The URIs of extensions that the caller declares. */
export const readExtensions = ({ headers }: Request): readonly string[] =>
	(headers.get("a2a-extensions") ?? "")
		.split(",")
		.map((uri) => uri.trim())
		.filter((uri) => uri !== "");
