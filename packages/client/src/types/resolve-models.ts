import type { Payer } from "@stemma/core";

/** The model nodes of a run, and what decides besides them. */
export interface ResolveModelsRequest {
	/** 1 to 1,000: all nodes that a model answers for. */
	readonly nodes: readonly NodeModelRequest[];
	/** All knowledge bases that the run reaches: they have a say in the model. */
	readonly knowledge_base_ids?: readonly string[];
}

/** A node, and the provider or model that it names. A client key may name none. */
export interface NodeModelRequest {
	readonly node: string;
	/** The API format of a provider, such as `openai-compatible`. */
	readonly provider?: string;
	/** The model as its endpoint names it; `default` for what is configured. */
	readonly model?: string;
}

export interface ResolvedModels {
	/** One for each node, in the order of the request. */
	readonly data: readonly ResolvedNodeModel[];
}

/** The model that answers for a node. */
export interface ResolvedNodeModel {
	readonly node: string;
	/** The API format. */
	readonly provider: string;
	/** Model, as its endpoint names it; `default` where the caller sees answers alone. */
	readonly model: string;
	/** Empty for what is built in, and where the caller sees answers alone. */
	readonly vendor_host: string;
	readonly payer: Payer;
	/** Reason for this model and this payer, as a sentence. */
	readonly reason: string;
}

/** Reason for a node without a model: an entry of `details.refusals`. */
export interface ModelRefusal {
	readonly node: string;
	readonly code: string;
	readonly message: string;
	readonly hint?: string;
}
