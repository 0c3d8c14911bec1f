import type { StreamedEvent } from "./api.ts";

/** What the service has acknowledged, and what it was asked and did not answer. */
export interface Ledger {
	/** By source. */
	readonly sources: Map<string, SourceEntry>;
	/** Documents without a source, by their word. */
	readonly unsourced: Map<string, UnsourcedEntry>;
	/** Made, or to be made. */
	readonly creations: Creation[];
	readonly agents: AgentEntry[];
	readonly runs: RunEntry[];
	/** A word that no other document has. */
	newWord(): string;
}

/** A document of a source: one writer, so what was asked is in order. */
export interface SourceEntry {
	id?: string;
	/** The word of the content that was acknowledged last. */
	word?: string;
	/** Words of contents that were sent after that, and not acknowledged. */
	pending: string[];
	/** Words of contents that were replaced. */
	readonly old: string[];
}

export interface UnsourcedEntry {
	id?: string;
	/** Requests that send it at this moment: what is deleted meanwhile may be there again. */
	sending: number;
	deletion?: "asked" | "acknowledged";
}

/** Something that is made once for its Idempotency-Key. */
export interface Creation {
	readonly kind: CreationKind;
	readonly key: string;
	readonly body: unknown;
	/** What is known of it, once it was acknowledged. */
	created?: { readonly id: string; readonly client_secret?: string; readonly client_key?: string };
	/** Looked at since then. */
	isChecked?: true;
}

export type CreationKind = "clients" | "client-keys" | "knowledge-bases" | "agents";

export interface AgentEntry {
	readonly id: string;
	instructions: string;
	readonly pending: string[];
}

export interface RunEntry {
	readonly id: string;
	/** As they came over a stream. */
	readonly events: StreamedEvent[];
	/** Its last event, or its record, said so. */
	isCompleted: boolean;
	/** Looked at after it had ended. */
	isChecked?: true;
}

export function createLedger(): Ledger {
	let words = 0;
	return {
		sources: new Map(),
		unsourced: new Map(),
		creations: [],
		agents: [],
		runs: [],
		newWord() {
			words += 1;
			// Ends in a digit, so that no stemming makes two words the same.
			return `zq${words.toString(36)}x7`;
		},
	};
}
