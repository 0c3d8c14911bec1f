import type { StemmaClient } from "../../client";
import { requestWithSecret } from "../../http/secret-request";
import type { CallOptions, WithRequestId } from "../../options/call-options";
import type {
	DeletedLlmSettings,
	LlmProviders,
	LlmSettings,
	LlmSettingsTest,
	LlmSettingsTestRequest,
	LlmSettingsUpdate,
	LlmStages,
	SavedLlmSettings,
	UnsetLlmSettings,
} from "../../types/settings";

/** Settings of a workspace that say which model answers, at which address, and with whose key. */
export interface LlmSettingsApi {
	/**
	 * The key goes in and never comes out again.
	 *
	 * @throws NotConfiguredError `encryption_not_configured` where the service has nothing to encrypt a key with.
	 * @throws InvalidRequestError `api_key_required` when another address or provider needs the key anew.
	 */
	set(request: LlmSettingsUpdate, options?: CallOptions): Promise<WithRequestId<SavedLlmSettings>>;
	/**
	 * The settings, without the key. Where none are set, `provider` is `null` and `deployment` says what answers instead.
	 *
	 * @throws NotConfiguredError as {@link set}, as all of these do.
	 */
	get(options?: CallOptions): Promise<WithRequestId<LlmSettings | UnsetLlmSettings>>;
	/**
	 * One real, tiny call, which is paid for, with what is stored or what is given instead; nothing is saved. A call that
	 * failed resolves, with `ok: false`. It may take two minutes, as models may have to be loaded first;
	 * `timeouts.headersTimeoutMs` of the call says otherwise. Not repeated when it may have begun.
	 *
	 * @throws InvalidRequestError `not_set` where nothing is stored and nothing is given.
	 */
	test(request?: LlmSettingsTestRequest, options?: CallOptions): Promise<WithRequestId<LlmSettingsTest>>;
	/** The deployment's model answers from now on. The same where there is nothing to clear. */
	delete(options?: CallOptions): Promise<WithRequestId<DeletedLlmSettings>>;
	/** Returns the model that each stage of answering would call, and who would pay for it. */
	stages(options?: CallOptions): Promise<WithRequestId<LlmStages>>;
	/** Vendors that settings can name. */
	providers(options?: CallOptions): Promise<WithRequestId<LlmProviders>>;
}

const PATH = "/v1/workspace/llm-settings";
const TEST_TIMEOUT_MS = 120_000;

export function llmSettings(client: StemmaClient): LlmSettingsApi {
	const headersTimeoutMs = Math.max(client.timeouts.headersTimeoutMs, TEST_TIMEOUT_MS);
	return {
		set: (request, options) =>
			requestWithSecret(client, { method: "PUT", path: PATH, json: request, options }, request.api_key),
		get: (options) => client.request({ method: "GET", path: PATH, options }),
		test: (request = {}, options) =>
			requestWithSecret(
				client,
				{
					method: "POST",
					path: `${PATH}/test`,
					json: request,
					retry: "if-not-started",
					options: { ...options, timeouts: { headersTimeoutMs, ...options?.timeouts } },
				},
				request.api_key,
			),
		delete: (options) => client.request({ method: "DELETE", path: PATH, options }),
		stages: (options) => client.request({ method: "GET", path: `${PATH}/stages`, options }),
		providers: (options) => client.request({ method: "GET", path: "/v1/llm-providers", options }),
	};
}
