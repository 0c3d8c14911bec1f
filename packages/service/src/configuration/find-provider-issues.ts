import { isStemmaError } from "@stemma/core/errors";
import type { InputIssue } from "../http/check-input";
import { createUnsentKeys } from "../models/ambient-aws/ambient-model";
import { createChatModel } from "../models/create-chat-model";
import { createEmbeddingModel } from "../models/create-embedding-model";
import { createReranker } from "../models/create-reranker";
import type { DeploymentProvider } from "../models/deployment-models";
import { nameSettings } from "../models/name-settings";
import type { Configuration } from "./configuration";

/** What would fail with the first question is found at the start: a credential, an address, a model of another region. */
export function findProviderIssues(
	name: string,
	{ provider, baseUrl, credential, defaultModel, allowedModels }: DeploymentProvider,
	allowsAmbient: boolean,
): InputIssue[] {
	const isAmbient = provider === "bedrock" && credential === undefined;
	if (isAmbient && !allowsAmbient)
		return [
			toIssue(
				`providers.${name}.credential`,
				'is missing: Bedrock asks for one, such as {"env": "<name of an environment variable>"}; or let it sign with the credentials of this machine: "aws": {"allowAmbientCredentials": true}',
			),
		];
	const used = isAmbient ? createUnsentKeys() : credential?.reveal();
	return [defaultModel, ...allowedModels]
		.flatMap((model) => complain(() => createChatModel({ provider, base_url: baseUrl, model }, used)))
		.filter((why, index, all) => all.indexOf(why) === index)
		.map((why) => toIssue(`providers.${name}`, `cannot be used: ${why}`));
}

/** The same of what makes vectors and what judges passages. */
export function findVendorIssues({ embeddings, rerank }: Configuration): InputIssue[] {
	const embeddingIssues =
		embeddings === undefined
			? []
			: complain(() => createEmbeddingModel(toCalled(embeddings), embeddings.credential?.reveal()));
	const rerankIssues =
		rerank === undefined ? [] : complain(() => createReranker(toCalled(rerank), rerank.credential?.reveal()));
	return [
		...embeddingIssues.map((why) => toIssue("embeddings", `cannot be used: ${why}`)),
		...rerankIssues.map((why) => toIssue("rerank", `cannot be used: ${why}`)),
	];
}

const toCalled = <Vendor extends { readonly baseUrl: string }>(vendor: Vendor) => ({
	...vendor,
	base_url: vendor.baseUrl,
});

function complain(make: () => unknown): string[] {
	try {
		make();
		return [];
	} catch (error) {
		if (!isStemmaError(error)) throw error;
		return [nameSettings([error.message, error.hint].join(" ")).trim().replace(/\.$/, "")];
	}
}

const toIssue = (path: string, message: string): InputIssue => ({ path, message, isUnknownField: false });
