import { chatCompletions, type ListedModel, type StemmaClient } from "@stemma/client";
import { ConfigurationError, type ModelChoice } from "@stemma/core";
import type { ModelPort } from "@stemma/engine";
import { createServiceChatModel } from "./service-chat-model";

/** Runs whose models are remembered: a run asks for all of its nodes at once, and many may start together. */
const REMEMBERED_RUNS = 64;

/** Models of the service. What it would choose is asked once for each run. */
export function serviceModels(client: StemmaClient, headers: Readonly<Record<string, string>>): ModelPort {
	const completions = chatCompletions(client);
	const lists = new Map<string, Promise<readonly ListedModel[]>>();

	function listFor(runId: string, signal: AbortSignal): Promise<readonly ListedModel[]> {
		const known = lists.get(runId);
		if (known !== undefined) return known;
		const list = completions.models({ signal, headers }).then(({ data }) => data);
		list.catch(() => lists.delete(runId));
		lists.set(runId, list);
		for (const oldest of lists.keys()) if (lists.size > REMEMBERED_RUNS) lists.delete(oldest);
		return list;
	}

	return {
		async resolve({ runId, choice, knowledgeBases }, { signal }) {
			const { stemma } = chooseModel(await listFor(runId, signal), choice);
			const { provider, vendor_host: vendorHost, payer, reason } = stemma;
			const model = createServiceChatModel(completions, {
				provider,
				vendorHost,
				model: choice?.model ?? stemma.model,
				asked: choice?.model ?? "default",
				askedProvider: choice?.provider,
				knowledgeBases,
				headers,
			});
			return { model, payer, reason };
		},
	};
}

/**
 * The listed model that a node chose, else the first of its provider: what the service does not list it may take all the
 * same, and refuses by itself.
 */
function chooseModel(models: readonly ListedModel[], { model, provider }: ModelChoice = {}): ListedModel {
	const fitting = models.filter(({ stemma }) => provider === undefined || stemma.provider === provider);
	const chosen = fitting.find(({ id }) => id === model) ?? fitting[0];
	if (chosen !== undefined) return chosen;
	if (provider === undefined)
		throw new ConfigurationError("The service lists no model.", {
			code: "model_required",
			hint: "Configure one for the deployment or the workspace.",
		});
	throw new ConfigurationError(`The service has no model of the provider "${provider}".`, {
		code: "provider_not_configured",
		hint: "Name another provider in the node's `model`, or leave it out for the default.",
	});
}
