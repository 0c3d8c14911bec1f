import { isStemmaError } from "@stemma/core/errors";
import type { InputIssue } from "../http/check-input";
import { createChatModel } from "../models/create-chat-model";
import type { DeploymentProvider } from "../models/deployment-models";

/** What would fail with the first question is found at the start: a credential, an address, a model of another region. */
export function findProviderIssues(name: string, provider: DeploymentProvider): InputIssue[] {
	const { apiKey, baseUrl, defaultModel, allowedModels } = provider;
	if (provider.provider === "bedrock" && apiKey === undefined)
		return [toIssue(`providers.${name}.credential`, "is missing: Bedrock asks for one")];
	return [...new Set([defaultModel, ...allowedModels])].flatMap((model) => {
		const resolved = { provider: provider.provider, base_url: baseUrl, model };
		try {
			createChatModel(resolved, apiKey);
			return [];
		} catch (error) {
			if (!isStemmaError(error)) throw error;
			const why = [error.message, error.hint].join(" ").trim().replace(/\.$/, "");
			return [toIssue(`providers.${name}`, `cannot be used with the model "${model}": ${why}`)];
		}
	});
}

const toIssue = (path: string, message: string): InputIssue => ({ path, message, isUnknownField: false });
