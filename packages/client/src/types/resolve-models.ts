import type { Payer } from "@stemma/core";

/** The model nodes of a run, and what decides besides them. */
export interface ResolveModelsRequest {
	/** 1 to 50,000: all nodes that a model answers for, and those whose searches make queries of a conversation. */
	readonly nodes: readonly NodeModelRequest[];
	/** All knowledge bases that the run reaches: they have a say in the model. */
	readonly knowledge_base_ids?: readonly string[];
}

/** A node, and the provider or model that it names. A client key may name none. */
export interface NodeModelRequest {
	readonly node: string;
	/**
	 * `rewrite`: a knowledge node, of `modelCalls.rewrites` of `inspectAgent`, with the provider and model of the
	 * coordinator. Left out: the node has a model that answers.
	 */
	readonly stage?: "rewrite";
	/** The API format of a provider, such as `openai-compatible`. */
	readonly provider?: string;
	/** The model as its endpoint names it; `default` for what is configured. */
	readonly model?: string;
}

export interface ResolvedModels {
	/** One for each node, in the order of the request. */
	readonly data: readonly ResolvedNodeModel[];
}

/** The model that answers for a node, or makes its queries. */
export interface ResolvedNodeModel {
	readonly node: string;
	/** Stage that the request asked for. */
	readonly stage?: "rewrite";
	/** The API format; empty, as the model is, where no model makes queries: the search goes by words then. */
	readonly provider: string;
	/** Model, as its endpoint names it; `default` where the caller sees answers alone. */
	readonly model: string;
	/** Empty for what is built in, and where the caller sees answers alone. */
	readonly vendor_host: string;
	readonly payer: Payer;
	/** Reason for this model and this payer, as a sentence. */
	readonly reason: string;
	/** Price that the operator has stated for the model. Left out: none, or nobody pays, or the caller sees answers alone. */
	readonly price?: StatedPrice;
}

/** Price of a model as the operator has stated it: decimal numbers, such as `2.5`. */
export interface StatedPrice {
	/** Code of the currency, such as `EUR`. */
	readonly currency: string;
	/** Price of a million input tokens. */
	readonly input: string;
	/** Price of a million output tokens. */
	readonly output: string;
	/** Price of a million cached input tokens. */
	readonly cached_input: string;
	/** Price of each call besides its tokens. */
	readonly call: string;
}

/** Reason for a node without a model: an entry of `details.refusals`. */
export interface ModelRefusal {
	readonly node: string;
	readonly code: string;
	readonly message: string;
	readonly hint?: string;
}
