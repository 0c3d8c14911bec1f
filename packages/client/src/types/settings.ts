import type { Payer, Stage } from "@stemma/core";

/** The model settings of a workspace; the key is never among them. */
export interface LlmSettings {
	/** The API format that the endpoint speaks: `openai-compatible`, `bedrock`. */
	readonly provider: string;
	/** Where it answers. Of Bedrock it carries the region. */
	readonly base_url: string;
	/** As the endpoint names it. */
	readonly model: string;
	/** A key is stored. Nothing of it is ever shown. */
	readonly has_api_key: boolean;
	/** `undecryptable`: the key is stored, and no encryption key of the service opens it. Set it again. */
	readonly status: "ok" | "undecryptable";
	/** RFC 3339, as `updated_at`. */
	readonly created_at: string;
	readonly updated_at: string;
	/** `cl_…`: the client that set them last. */
	readonly updated_by: string;
}

/** Answer to a read where nothing is set: the deployment's model answers. */
export interface UnsetLlmSettings {
	readonly provider: null;
	readonly base_url: null;
	readonly model: null;
	readonly has_api_key: false;
	readonly status: "ok";
	readonly created_at: null;
	readonly updated_at: null;
	readonly updated_by: null;
	/** What answers instead: the API format and the model, without an address. */
	readonly deployment: { readonly provider: string; readonly model: string };
}

/** What set them gets back: with what is worth knowing, and is no error. */
export interface SavedLlmSettings extends LlmSettings {
	/** Sentences: a model of a region that is not known, for instance. Empty as a rule. */
	readonly warnings: readonly string[];
}

/** Settings to be stored. What is read back may be sent as it is: fields that cannot be set are ignored. */
export interface LlmSettingsUpdate {
	readonly provider: string;
	/** Neither user info, query nor fragment; `/chat/completions` at its end is cut off. */
	readonly base_url: string;
	readonly model: string;
	/**
	 * A text is stored, sealed; `null` removes the key that is stored. Left out, a key that is stored stays, but only for the
	 * same provider and address (or another region of AWS's own endpoints); else `api_key_required`.
	 */
	readonly api_key?: string | null;
}

/** There are none any more. */
export interface DeletedLlmSettings {
	/** False where there were none before. */
	readonly deleted: boolean;
}

/** What is tested instead of what is stored; left out: as it is stored. */
export type LlmSettingsTestRequest = Partial<LlmSettingsUpdate>;

/** How one real, tiny call went. */
export interface LlmSettingsTest {
	readonly ok: boolean;
	/** Of the call, in milliseconds. */
	readonly latency_ms: number;
	/** The model that was asked. */
	readonly model: string;
	/** The stages that this credential would pay for, in the order in which they run. */
	readonly stages: readonly Stage[];
	/** Vectors are not made by a test. */
	readonly embeddings_checked: false;
	/** What the call took, where the vendor told. */
	readonly usage?: {
		readonly input_tokens: number;
		readonly output_tokens: number;
		readonly cached_tokens?: number;
	};
	readonly warnings?: readonly string[];
	/** Why it failed, and the one thing to do next. */
	readonly error?: { readonly code: string; readonly message: string; readonly hint?: string };
}

/** Who would be called for a stage, and who would pay. */
export interface LlmStage {
	readonly stage: Stage;
	/** `none`: built in, or no call is made. */
	readonly payer: Payer;
	readonly provider: string;
	readonly base_url: string;
	readonly model: string;
	/** Which credential, never the credential: `workspace`, `deployment`, `embeddings`, `rerank`, `machine`, `none`. */
	readonly credential: string;
	/** Why, as a sentence. */
	readonly reason: string;
}

export interface LlmStages {
	readonly stages: readonly LlmStage[];
	/** Why no question can be answered as things stand; `stages` is empty then. */
	readonly refusal?: { readonly code: string; readonly message: string; readonly hint: string };
}

/** A vendor that settings can name. Any other endpoint and model may be set as well. */
export interface LlmProvider {
	/** `openai`, `groq`, … */
	readonly id: string;
	/** What people call it. */
	readonly name: string;
	/** The API format to set: `openai-compatible`, `bedrock`. */
	readonly provider: string;
	/** To set as it is, or with `<…>` for what to fill in. */
	readonly base_url: string;
	/** Some of its models, the first a good start; with `<…>` for what to fill in. */
	readonly models: readonly string[];
	/** Whether it answers without a key. */
	readonly needs_api_key: boolean;
	/** How to get one, as a sentence. */
	readonly api_key_hint: string;
	readonly api_key_url?: string;
	/** It runs on the network of whoever runs the service, who must allow its address. */
	readonly is_local?: boolean;
}

export interface LlmProviders {
	readonly data: readonly LlmProvider[];
}
