import type { ClientKey, ClientKeyCreate, CreatedClientKey } from "@stemma/client";
import { ConfigurationError } from "@stemma/core/errors";
import { omitUndefined } from "@stemma/core/internal";
import { FULL_PAGES, listAll } from "../connection/list-all";
import { type ServiceCommandOptions, withService } from "../connection/with-service";
import { resolveKnowledgeBases } from "../knowledge-bases/resolve-knowledge-base";
import { print, printTable, report } from "../terminal/print";
import type { Terminal } from "../terminal/terminal";

/** Options of `stemma keys create`. */
export interface CreateKeyOptions extends ServiceCommandOptions {
	readonly origin: readonly string[];
	readonly native: boolean;
	/** Ids or slugs; none for all. */
	readonly agent: readonly string[];
	/** Ids or names; none for all. */
	readonly kb: readonly string[];
	readonly requestsPerMinute?: number;
	readonly tokensPerDay?: number;
	readonly models: boolean;
	readonly trace: boolean;
	/** Prints lines of an .env file, with this before each name. */
	readonly env?: string;
}

export async function listKeys(terminal: Terminal, options: ServiceCommandOptions): Promise<void> {
	const all = await withService(options, ({ clientKeys }) => listAll(clientKeys.list(FULL_PAGES)));
	const header = ["ID", "NAME", "CREATED", "FROM", "MAY USE", "A MINUTE", "TOKENS A DAY", "SHOWS"];
	printTable(terminal, options, all, { header, toCells });
}

const toCells = (key: ClientKey): string[] => [
	key.id,
	key.name,
	key.created_at.slice(0, 10),
	[...key.origins, ...(key.native ? ["native"] : [])].join(" "),
	describeReach(key),
	key.requests_per_minute.toLocaleString("en-US"),
	key.tokens_per_day.toLocaleString("en-US"),
	key.expose,
];

function describeReach({ agents, knowledge_base_ids, models }: ClientKey): string {
	const reach = [
		agents === null ? "all agents" : agents.join(" "),
		knowledge_base_ids === null ? "all knowledge bases" : knowledge_base_ids.join(" "),
		models ? "models" : "",
	];
	return reach.filter((part) => part !== "").join(", ");
}

export async function createKey(terminal: Terminal, name: string, options: CreateKeyOptions): Promise<void> {
	if (options.origin.length === 0 && !options.native)
		throw new ConfigurationError("No client could use this key.", {
			hint: "Set where it is used: --origin https://app.example for web pages, --native for phones, or both.",
		});
	const { created, baseUrl } = await withService(options, async ({ client, clientKeys, knowledge }) => ({
		created: await clientKeys.create(
			toRequest(name, options, await resolveKnowledgeBases(knowledge, options.kb)),
		),
		baseUrl: client.baseUrl,
	}));
	print(terminal, options, created, () => `${formatKey(created, baseUrl, options)}\n`);
	report(terminal, "note", "The key is shown only once.");
}

const formatKey = (
	{ client_key }: CreatedClientKey,
	baseUrl: string,
	{ env }: Pick<CreateKeyOptions, "env">,
): string =>
	env === undefined ? client_key : `${env}STEMMA_BASE_URL=${baseUrl}\n${env}STEMMA_CLIENT_KEY=${client_key}`;

/** Builds the request for a key. Options that are left out keep the service's default. */
function toRequest(
	name: string,
	{ origin, native, agent, requestsPerMinute, tokensPerDay, models, trace }: CreateKeyOptions,
	knowledgeBaseIds: readonly string[],
): ClientKeyCreate {
	return {
		...{ name, origins: origin, native, models, expose: trace ? "trace" : "answer" },
		...(agent.length > 0 && { agents: agent }),
		...(knowledgeBaseIds.length > 0 && { knowledge_base_ids: knowledgeBaseIds }),
		...omitUndefined({ requests_per_minute: requestsPerMinute, tokens_per_day: tokensPerDay }),
	};
}

export async function revokeKey(
	terminal: Terminal,
	id: string,
	options: ServiceCommandOptions,
): Promise<void> {
	const deleted = await withService(options, ({ clientKeys }) => clientKeys.delete(id));
	print(terminal, options, deleted, () => `Revoked ${id}.\n`);
}
