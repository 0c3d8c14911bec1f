import { isStemmaError } from "@stemma/core/errors";
import type { InputIssue } from "../http/check-input";
import { createChatModel } from "../models/create-chat-model";
import type { DeploymentProvider } from "../models/deployment-models";
import { nameSettings } from "../models/name-settings";

/** What would fail with the first question is found at the start: a credential, an address, a model of another region. */
export function findProviderIssues(name: string, provider: DeploymentProvider): InputIssue[] {
	const { apiKey, baseUrl, defaultModel, allowedModels } = provider;
	if (provider.provider === "bedrock" && apiKey === undefined)
		return [
			toIssue(
				`providers.${name}.credential`,
				'is missing: Bedrock asks for one, such as {"env": "<name of an environment variable>"}',
			),
		];
	const complaints = [defaultModel, ...allowedModels].flatMap((model) => {
		try {
			createChatModel({ provider: provider.provider, base_url: baseUrl, model }, apiKey);
			return [];
		} catch (error) {
			if (!isStemmaError(error)) throw error;
			return [nameSettings([error.message, error.hint].join(" ")).trim().replace(/\.$/, "")];
		}
	});
	return [...new Set(complaints)].map((why) => toIssue(`providers.${name}`, `cannot be used: ${why}`));
}

const toIssue = (path: string, message: string): InputIssue => ({ path, message, isUnknownField: false });
