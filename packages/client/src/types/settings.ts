import type { Payer, Stage } from "@stemma/core";

/** The model settings of a workspace; the key is never among them. */
export interface LlmSettings {
	/** The API format that the endpoint speaks: `openai-compatible`, `bedrock`. */
	readonly provider: string;
	/** Address of the endpoint. For Bedrock it contains the region. */
	readonly base_url: string;
	/** Model, as the endpoint names it. */
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
	/** Model of the deployment that answers in this case: the API format and the model, without an address. */
	readonly deployment: { readonly provider: string; readonly model: string };
}

/** Settings that were saved, returned to the caller with warnings that are no errors. */
export interface SavedLlmSettings extends LlmSettings {
	/** Sentences: a model of a region that is not known, for instance. Empty as a rule. */
	readonly warnings: readonly string[];
}

/** Settings to store. You may send back what you read: fields that cannot be set are ignored. */
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

/** Answer to deleting settings: there are none any more. */
export interface DeletedLlmSettings {
	/** False where there were none before. */
	readonly deleted: boolean;
}

/** Values to test in place of the stored ones; fields that are left out are tested as they are stored. */
export type LlmSettingsTestRequest = Partial<LlmSettingsUpdate>;

/** Result of a test: one real, tiny call. */
export interface LlmSettingsTest {
	readonly ok: boolean;
	/** Duration of the call, in milliseconds. */
	readonly latency_ms: number;
	/** Name of the model that was tested. */
	readonly model: string;
	/** The stages that this credential would pay for, in the order in which they run. */
	readonly stages: readonly Stage[];
	/** False, because a test creates no embeddings. */
	readonly embeddings_checked: false;
	/** Tokens that the call used, where the vendor reported them. */
	readonly usage?: {
		readonly input_tokens: number;
		readonly output_tokens: number;
		readonly cached_tokens?: number;
	};
	readonly warnings?: readonly string[];
	/** Error of a failed test, with one thing to do next. */
	readonly error?: { readonly code: string; readonly message: string; readonly hint?: string };
}

/** Model and payer of a stage, if it were called now. */
export interface LlmStage {
	readonly stage: Stage;
	/** `none`: built in, or no call is made. */
	readonly payer: Payer;
	readonly provider: string;
	readonly base_url: string;
	readonly model: string;
	/**
	 * Name of the credential, never the credential itself: `workspace`, `deployment`, `embeddings`, `rerank`,
	 * `machine`, `none`.
	 */
	readonly credential: string;
	/** Reason, as a sentence. */
	readonly reason: string;
}

export interface LlmStages {
	readonly stages: readonly LlmStage[];
	/** Reason why no question can be answered with the current settings; `stages` is empty then. */
	readonly refusal?: { readonly code: string; readonly message: string; readonly hint: string };
}

/** A vendor that settings can name. Any other endpoint and model may be set as well. */
export interface LlmProvider {
	/** `openai`, `groq`, … */
	readonly id: string;
	/** Common name of the vendor. */
	readonly name: string;
	/** The API format to set: `openai-compatible`, `bedrock`. */
	readonly provider: string;
	/** Address to set as it is, or with `<…>` for what to fill in. */
	readonly base_url: string;
	/** Some of its models, the first a good start; with `<…>` for what to fill in. */
	readonly models: readonly string[];
	/** True where the vendor answers only with an API key. */
	readonly needs_api_key: boolean;
	/** Explanation of how to get an API key, as a sentence. */
	readonly api_key_hint: string;
	readonly api_key_url?: string;
	/** True where the model runs on the network of the operator of the service, who must allow its address. */
	readonly is_local?: boolean;
}

export interface LlmProviders {
	readonly data: readonly LlmProvider[];
}
