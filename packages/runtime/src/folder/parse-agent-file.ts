import type { RuntimeAgentIssue } from "@stemma/client";
import { validateAgent } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import { locateJsonError } from "@stemma/protocol";
import { hashBytes } from "../platform/hash-bytes";
import { AGENT_ID, type AgentDefinition, type ParsedAgentFile } from "./agent-definition";
import { type AgentFile, MAX_FILE_BYTES } from "./agent-source";
import { checkManifest, type ManifestCheck } from "./parse-manifest";

/** Reads one agent file: a manifest or a graph, or all that is wrong with it. */
export function parseAgentFile(agentFile: AgentFile): ParsedAgentFile {
	const { file } = agentFile;
	const base = {
		file,
		id: toStem(file),
		form: "graph",
		name: null,
		description: null,
		warnings: [],
	} as const;
	if ("issue" in agentFile) return { ...base, version: "", issues: [agentFile.issue] };
	const { bytes } = agentFile;
	const version = hashBytes(bytes).slice(0, 12);
	const json = readJson(bytes);
	if ("code" in json) return { ...base, version, issues: [json] };
	return { ...base, version, ...parseDocument(json.value, base.id) };
}

const toStem = (file: string): string => file.replace(/\.json$/, "");

function readJson(bytes: Uint8Array): { readonly value: unknown } | RuntimeAgentIssue {
	if (bytes.length > MAX_FILE_BYTES)
		return { code: "file_too_large", message: "An agent file may have at most 2 MB.", path: [] };
	let text: string;
	try {
		// It leaves out a byte order mark.
		text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch {
		return { code: "not_text", message: isUtf16(bytes) ? UTF_16 : NOT_UTF_8, path: [] };
	}
	try {
		return { value: JSON.parse(text) };
	} catch {
		return { code: "invalid_json", message: toJsonErrorMessage(text), path: [] };
	}
}

function toJsonErrorMessage(text: string): string {
	if (text.trim() === "") return "The file is empty; an agent file holds one JSON object.";
	const { line, column, problem } = locateJsonError(text);
	return `Not JSON at line ${line}, column ${column}: ${problem}.`;
}

const NOT_UTF_8 = "This is not a text file in UTF-8. An agent file is JSON.";
const UTF_16 = "This text is in UTF-16. Save it as UTF-8.";

/** Checks by the byte order mark whether a text is UTF-16. */
const isUtf16 = ([first, second]: Uint8Array): boolean =>
	(first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

type ParsedDocument = Pick<
	ParsedAgentFile,
	"id" | "form" | "name" | "description" | "issues" | "warnings"
> & {
	readonly definition?: AgentDefinition;
};

function parseDocument(json: unknown, stem: string): ParsedDocument {
	const fields = isJsonObject(json) ? json : {};
	const manifest = checkManifest(json);
	const isManifest = manifest !== undefined;
	const id = isManifest && typeof fields.id === "string" && AGENT_ID.test(fields.id) ? fields.id : stem;
	const { definition, issues, warnings = [] } = isManifest ? readManifest(manifest) : readGraph(json);
	const all =
		AGENT_ID.test(id) || issues.some(({ path }) => path[0] === "id") ? issues : [...issues, invalidName];
	return {
		id,
		form: isManifest ? "manifest" : "graph",
		name: toText(fields.name),
		description: toText(fields.description),
		issues: all,
		warnings,
		...(definition !== undefined && all.length === 0 ? { definition } : {}),
	};
}

const toText = (value: unknown): string | null => (typeof value === "string" ? value : null);

const invalidName: RuntimeAgentIssue = {
	code: "invalid_id",
	message:
		"The file name is the agent's id, which must be 1 to 64 letters, digits, hyphens or underscores. Rename the file.",
	path: [],
};

interface ParsedDefinition {
	readonly definition?: AgentDefinition;
	readonly issues: readonly RuntimeAgentIssue[];
	readonly warnings?: readonly RuntimeAgentIssue[];
}

const readManifest = ({ remoteAgentId, issues, warnings }: ManifestCheck): ParsedDefinition => ({
	issues,
	warnings,
	definition: { form: "manifest", remoteAgentId },
});

function readGraph(json: unknown): ParsedDefinition {
	const validation = validateAgent(json);
	if (!validation.success) return { issues: validation.error.issues };
	return { issues: [], definition: { form: "graph", graph: validation.graph } };
}
