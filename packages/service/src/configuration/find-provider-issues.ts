import { ConfigurationError } from "@stemma/core/errors";
import { EMBEDDED_PROVIDER } from "@stemma/routing";
import { createPlaceholderKeys } from "../models/ambient-aws/ambient-model";
import { createChatModel, createEmbeddingModel, createReranker } from "../models/create-model";
import type { DeploymentProvider } from "../models/deployment-models";
import { describeForOwner } from "../models/option-names";
import type { InputIssue } from "../validation/check-input";
import type { Configuration } from "./configuration";

/** Finds at the start what would fail with the first question: a credential, an address, a model of another region. */
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
	const credentialValue = isAmbient ? createPlaceholderKeys() : credential?.reveal();
	return [defaultModel, ...allowedModels]
		.flatMap((model) =>
			collectProblems(() => createChatModel({ provider, base_url: baseUrl, model }, credentialValue)),
		)
		.filter((problem, index, all) => all.indexOf(problem) === index)
		.map((problem) => toIssue(`providers.${name}`, `cannot be used: ${problem}`));
}

/** Finds at the start what would fail in the models for embedding and reranking. */
export function findVendorIssues({ embeddings, rerank }: Configuration): InputIssue[] {
	const embeddingIssues =
		embeddings === undefined || embeddings.provider === EMBEDDED_PROVIDER
			? []
			: collectProblems(() => createEmbeddingModel(toEndpoint(embeddings), embeddings.credential?.reveal()));
	const rerankIssues =
		rerank === undefined
			? []
			: collectProblems(() => createReranker(toEndpoint(rerank), rerank.credential?.reveal()));
	return [
		...embeddingIssues.map((problem) => toIssue("embeddings", `cannot be used: ${problem}`)),
		...rerankIssues.map((problem) => toIssue("rerank", `cannot be used: ${problem}`)),
	];
}

const toEndpoint = <Vendor extends { readonly baseUrl: string }>(vendor: Vendor) => ({
	...vendor,
	base_url: vendor.baseUrl,
});

function collectProblems(make: () => unknown): string[] {
	try {
		make();
		return [];
	} catch (error) {
		if (!ConfigurationError.is(error)) throw error;
		const { message, hint = "" } = describeForOwner(error, "deployment");
		return [`${message} ${hint}`.trim().replace(/\.$/, "")];
	}
}

const toIssue = (path: string, message: string): InputIssue => ({ path, message, kind: "invalid" });
