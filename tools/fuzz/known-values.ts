/** Ids, tokens and paths that responses have had, so that requests are about what exists. Newest first. */
export interface KnownValues {
	/** Values for a parameter of a path. */
	listForParameter(template: string, name: string): readonly string[];
	/** Values for a field of a body or of a query. */
	listForField(name: string): readonly unknown[];
	/** Whole paths, for a template with several parameters that belong together. */
	listPaths(template: string): readonly string[];
	/** Reads what a request with success made or removed. */
	record(method: string, path: string, text: string): void;
}

/** Values for fields, by their names; under `id`, those for paths. */
export interface FieldValues {
	readonly id?: readonly string[];
	readonly [field: string]: readonly unknown[] | undefined;
}

/** Ids that follow a part of a path. */
const PARAMETERS: { readonly [part: string]: RegExp } = {
	...{ "knowledge-bases": /^kb_/, documents: /^doc_/, sources: /^src_/, agents: /^ag_/, runs: /^run_/ },
	...{ run: /^(desk|asking)$/, ui: /^chat$/, threads: /^thr_/, clients: /^cl_/, "client-keys": /^ck_/ },
	...{ answers: /^ans_/, responses: /^resp_/, workspaces: /^ws_/, members: /^usr_/, invitations: /^inv_/ },
	...{ sessions: /^ses_/, approvals: /^apr_/, shares: /^shr_/, passkeys: /^pk_/, versions: /^\d+$/ },
	...{ secrets: /^crm$/, models: /^default$/, authorizations: /^aut_/, "sign-in": /^company$/ },
};
/** Ids that a field names. */
const FIELDS: { readonly [field: string]: RegExp } = {
	...{ knowledge_base_ids: /^kb_/, thread_id: /^thr_/, agent_id: /^ag_/, agents: /^ag_/, user_id: /^usr_/ },
	...{ run_id: /^run_/, previous_response_id: /^resp_/ },
};
const IDS = /"(?:id|run_id|slug|answer_id|thread_id)":"([\w-]{1,60})"/g;
/** Fields whose values requests send back under the same name. */
const RETURNED = /"(token|client_id)":"([^"\\]{1,300})"/g;
/** Ids of what is not made by a request of its own, or by people. */
const LISTED = /"id":"((?:usr|ses|src|aut)_\w{1,60})"/g;
const OWN_WORKSPACE = /"workspace":\{"id":"(ws_\w+)"/g;
const SIGN_IN_LINK = /#sign-in=([\w-]+)/g;
/** Addresses with a token in their query. */
const ADDRESS = /"(?:https?:\/\/[^/"]+)?(\/v1\/[^"\\?]{1,200}\?[^"\\]{1,300})"/g;
const MAX_VALUES = 1_000;
/** Responses may be long; what was made is at their beginning. */
const MAX_TEXT = 20_000;

/** @param fields - values that are known from the start. */
export function createKnownValues(fields: FieldValues): KnownValues {
	const lists = new Map<string, string[]>();
	const listOf = (name: string): readonly string[] => lists.get(name) ?? [];
	const listIds = (pattern: RegExp | undefined): readonly string[] =>
		pattern === undefined ? [] : [...listOf("id"), ...(fields.id ?? [])].filter((id) => pattern.test(id));

	function add(name: string, value: string): void {
		const others = listOf(name).filter((other) => other !== value);
		lists.set(name, [value, ...others].slice(0, MAX_VALUES));
	}

	function readAlways(text: string): void {
		for (const [, id = ""] of text.matchAll(LISTED)) add("id", id);
		for (const [, id = ""] of text.matchAll(OWN_WORKSPACE)) add("workspace_id", id);
		// The token of a file opens its text, too.
		for (const [, address = ""] of text.matchAll(ADDRESS))
			for (const path of [address, address.replace("/file?", "/text?")]) add("path", path);
	}

	function read(path: string, text: string): void {
		for (const [, id = ""] of text.matchAll(IDS)) {
			add("id", id);
			add("path", `${path}/${id}`);
		}
		for (const [, name = "", value = ""] of text.matchAll(RETURNED)) add(name, value);
		for (const [, token = ""] of text.matchAll(SIGN_IN_LINK)) add("token", token);
		const [, run] = /:"(run_\w+)"/.exec(text) ?? [];
		const [, approval] = /:"(apr_\w+)"/.exec(text) ?? [];
		if (run && approval)
			for (const prefix of ["/v1", ""]) add("path", `${prefix}/runs/${run}/approvals/${approval}`);
	}

	function forget(path: string): void {
		const id = path.split("/").at(-1);
		const ids = listOf("id").filter((other) => other !== id);
		const paths = listOf("path").filter((other) => !other.startsWith(path));
		lists.set("id", ids).set("path", paths);
	}

	return {
		listForParameter(template, name) {
			const parts = template.split("/");
			return listIds(PARAMETERS[parts[parts.indexOf(`{${name}}`) - 1] ?? ""]);
		},
		listForField(name) {
			if (name === "id" || name === "path") return [];
			return [...(fields[name] ?? []), ...listIds(FIELDS[name]), ...listOf(name)];
		},
		listPaths: (template) => listOf("path").flatMap((path) => toPaths(path, template)),
		record(method, path, text) {
			const [plain = ""] = path.split("?");
			readAlways(text.slice(0, MAX_TEXT));
			if (method === "delete") forget(plain);
			else if (method !== "get") read(plain, text.slice(0, MAX_TEXT));
		},
	};
}

/** The path itself, if it is of the template, or what the template has below it. */
function toPaths(path: string, template: string): readonly string[] {
	const end = template.lastIndexOf("}") + 1;
	const [resource, rest] = [template.slice(0, end), template.slice(end)];
	const toPattern = (part: string, query: string): RegExp =>
		new RegExp(`^${part.replace(/\{\w+\}/g, "[^/?]+")}${query}$`);
	if (rest !== "" && toPattern(template, "(\\?.*)?").test(path)) return [path];
	return toPattern(resource, "").test(path) ? [path + rest] : [];
}
