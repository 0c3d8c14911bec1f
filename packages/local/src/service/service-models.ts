import {
	chatCompletions,
	type NodeModelRequest,
	type ResolvedNodeModel,
	type StemmaClient,
} from "@stemma/client";
import { ConfigurationError } from "@stemma/core";
import type {
	ModelPort,
	ModelRequest,
	PortCallOptions,
	ResolvedModel,
	RunModelRequest,
} from "@stemma/engine";
import { createServiceChatModel } from "./chat-model";

/** Models of all nodes, resolved at once. */
export type ServiceModels = ModelPort & Required<Pick<ModelPort, "resolveAll">>;

type NodeRequest = RunModelRequest["nodes"][number];

/**
 * Models of the service. Who answers and who pays is decided there, for all nodes of a run at once, by what decides for the
 * service's own runs.
 */
export function serviceModels(
	client: StemmaClient,
	headers: Readonly<Record<string, string>>,
): ServiceModels {
	const completions = chatCompletions(client);

	function toResolved(
		{ choice }: NodeRequest,
		nodeModel: ResolvedNodeModel | undefined,
		knowledgeBases: readonly string[],
	): ResolvedModel {
		if (nodeModel === undefined) throw missingResolution();
		const { provider, vendor_host: vendorHost, model, payer, reason } = nodeModel;
		return {
			payer,
			reason,
			model: createServiceChatModel(completions, {
				provider,
				vendorHost,
				model,
				requestedModel: choice?.model ?? "default",
				requestedProvider: choice?.provider,
				hidesReceipts: payer !== "none" && vendorHost === "",
				knowledgeBases,
				headers,
			}),
		};
	}

	async function resolveAll(
		{ nodes, knowledgeBases }: Pick<RunModelRequest, "nodes" | "knowledgeBases">,
		{ signal, traceContext }: PortCallOptions,
	): Promise<readonly ResolvedModel[]> {
		const request = { nodes: nodes.map(toNode), knowledge_base_ids: knowledgeBases };
		const { data } = await completions.resolveModels(request, {
			signal,
			headers: { ...headers, ...traceContext },
		});
		return nodes.map((node, index) => toResolved(node, data[index], knowledgeBases));
	}

	return {
		resolveAll,
		async resolve({ knowledgeBases, ...node }: ModelRequest, options) {
			const [resolved] = await resolveAll({ nodes: [node], knowledgeBases }, options);
			if (resolved === undefined) throw missingResolution();
			return resolved;
		},
	};
}

const toNode = ({ node, choice: { provider, model } = {} }: NodeRequest): NodeModelRequest => ({
	node,
	...(provider === undefined ? {} : { provider }),
	...(model === undefined ? {} : { model }),
});

const missingResolution = (): ConfigurationError =>
	new ConfigurationError("The service's response does not name a model for each node.", {
		code: "invalid_response",
		hint: "Check that `baseUrl` is the address of a Stemma service of this version.",
	});
