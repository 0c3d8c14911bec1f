import type { RuntimeAgentIssue } from "@stemma/client";
import { closestName, isJsonObject, quote } from "@stemma/core/internal";
import { AGENT_ID } from "./agent-definition";

const FIELDS = ["remoteAgentId", "id", "name", "description"];

type Fields = { readonly [field: string]: unknown };

/** Result of checking a manifest. */
export interface ManifestCheck {
	/** Agent of the service that it stands for; empty where the file has no text there, which is an issue. */
	readonly remoteAgentId: string;
	/** Violations; with any of them it does not run. */
	readonly issues: readonly RuntimeAgentIssue[];
	/** Fields that are not known and are ignored. */
	readonly warnings: readonly RuntimeAgentIssue[];
}

/** Checks the content of an agent file that is a manifest, or was meant to be one. Undefined for anything else. */
export function checkManifest(json: unknown): ManifestCheck | undefined {
	if (!isJsonObject(json)) return undefined;
	const misspelled = findMisspelledManifest(json);
	if (misspelled !== undefined) return { remoteAgentId: "", issues: [misspelled], warnings: [] };
	if (!("remoteAgentId" in json)) return undefined;
	return {
		remoteAgentId: typeof json.remoteAgentId === "string" ? json.remoteAgentId : "",
		issues: findManifestIssues(json),
		warnings: findManifestWarnings(json),
	};
}

/** Violations of a manifest; none for `{ remoteAgentId, id?, name?, description? }`. */
function findManifestIssues(manifest: Fields): RuntimeAgentIssue[] {
	if ("nodes" in manifest) return [issue("remoteAgentId", BOTH_FORMS)];
	return [
		...["remoteAgentId", "id"].flatMap((field) => findIdIssue(manifest, field)),
		...["name", "description"].flatMap((field) => findTextIssue(manifest, field)),
	];
}

const MAX_WARNINGS = 20;

/** Fields of a manifest that are not known: they are ignored. Of many, the first. */
const findManifestWarnings = (manifest: Fields): RuntimeAgentIssue[] =>
	Object.keys(manifest)
		.filter((field) => !FIELDS.includes(field))
		.slice(0, MAX_WARNINGS)
		.map((field) => {
			const closest = closestName(field, FIELDS);
			const advice =
				closest === undefined ? `Its fields are ${FIELDS.join(", ")}.` : `Did you mean ${quote(closest)}?`;
			return {
				code: "unknown_field",
				message: `Not a field of a manifest; it is ignored. ${advice}`,
				path: [field],
			};
		});

/** Issue of a file that has a field like `remoteAgentId` and no nodes: a manifest with a typing error. */
function findMisspelledManifest(fields: Fields): RuntimeAgentIssue | undefined {
	if ("nodes" in fields || "remoteAgentId" in fields) return undefined;
	const field = Object.keys(fields).find((name) => closestName(name, FIELDS) === "remoteAgentId");
	return field === undefined
		? undefined
		: issue(field, `Not a field of a manifest or a graph. Did you mean "remoteAgentId"?`);
}

const BOTH_FORMS =
	"A file is a manifest (with `remoteAgentId`) or a graph (with `nodes`), and this has both. Leave one out.";

function findIdIssue(manifest: Fields, field: string): RuntimeAgentIssue[] {
	const value = manifest[field];
	if (value === undefined || (typeof value === "string" && AGENT_ID.test(value))) return [];
	return [issue(field, "Expected 1 to 64 letters, digits, hyphens or underscores.")];
}

function findTextIssue(manifest: Fields, field: string): RuntimeAgentIssue[] {
	const value = manifest[field];
	return value === undefined || typeof value === "string" ? [] : [issue(field, "Expected a string.")];
}

const issue = (field: string, message: string): RuntimeAgentIssue => ({
	code: "invalid_manifest",
	message,
	path: [field],
});
