import type { RuntimeAgentIssue } from "@stemma/client";
import { AGENT_ID } from "./agent-definition";

const FIELDS = ["remoteAgentId", "id", "name", "description"];

type Fields = { readonly [field: string]: unknown };

/** What is wrong with a manifest; nothing for `{ remoteAgentId, id?, name?, description? }`. */
export function findManifestIssues(manifest: Fields): RuntimeAgentIssue[] {
	if ("nodes" in manifest) return [issue("remoteAgentId", BOTH)];
	return [
		...Object.keys(manifest)
			.filter((field) => !FIELDS.includes(field))
			.map((field) => issue(field, `Not a field of a manifest. Its fields are ${FIELDS.join(", ")}.`)),
		...["remoteAgentId", "id"].flatMap((field) => findIdIssue(manifest, field)),
		...["name", "description"].flatMap((field) => findTextIssue(manifest, field)),
	];
}

const BOTH =
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
