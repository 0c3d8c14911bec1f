import type { ClientKeyCreate } from "@stemma/client";

/** Scope that the form of a client key offers. */
export type ClientKeyScope = "ask" | "agents:run";

/** Content of the form of a client key. */
export interface ClientKeyDraft {
	readonly name: string;
	/** Addresses, one on each line. */
	readonly origins: string;
	readonly isNative: boolean;
	readonly scopes: ReadonlySet<ClientKeyScope>;
	/** Ids; `undefined` for all. */
	readonly agents: ReadonlySet<string> | undefined;
	readonly knowledgeBases: ReadonlySet<string> | undefined;
	readonly expose: "answer" | "trace";
	readonly models: boolean;
	readonly requestsPerMinute: number;
	readonly tokensPerDay: number;
}

/** Draft with what the service takes by default. */
export const EMPTY_KEY: ClientKeyDraft = {
	name: "",
	origins: "",
	isNative: false,
	scopes: new Set(["ask", "agents:run"]),
	agents: undefined,
	knowledgeBases: undefined,
	expose: "answer",
	models: false,
	requestsPerMinute: 60,
	tokensPerDay: 200_000,
};

/** Body of the request that creates the key. */
export const toClientKeyCreate = (draft: ClientKeyDraft): ClientKeyCreate => ({
	name: draft.name.trim(),
	origins: toOrigins(draft.origins),
	native: draft.isNative,
	scopes: [...draft.scopes],
	agents: draft.agents === undefined ? null : [...draft.agents],
	knowledge_base_ids: draft.knowledgeBases === undefined ? null : [...draft.knowledgeBases],
	expose: draft.expose,
	models: draft.models,
	requests_per_minute: draft.requestsPerMinute,
	tokens_per_day: draft.tokensPerDay,
});

/** Origins of the addresses: what follows the host of one that was copied from a browser is left out. */
function toOrigins(lines: string): readonly string[] {
	const addresses = lines.split(/[\s,]+/).filter((line) => line !== "");
	return [...new Set(addresses.map((address) => (URL.canParse(address) ? toOrigin(address) : address)))];
}

/** The service says what is wrong with an address that has no origin. */
function toOrigin(address: string): string {
	const { origin } = new URL(address);
	return origin === "null" ? address : origin;
}
