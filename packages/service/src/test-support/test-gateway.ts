import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OpenAiSimulator, startOpenAiSimulator } from "../../../../tools/simulators/openai/simulator.ts";
import type * as source from "../index";
import { type SendRequest, sendTo } from "./send-request";
import { demand } from "./tenant";
import { fetchToken, TEST_ENCRYPTION, toTestConfiguration } from "./test-deployment";

/** A service on a port, a vendor that the deployment pays, and one that its workspace may pay. */
export interface TestGateway {
	/** `http://127.0.0.1:<port>/v1` */
	readonly baseURL: string;
	readonly token: string;
	readonly send: SendRequest;
	/** Of the deployment: `host-model`, `host-second` and the vectors of `host-vectors`. */
	readonly host: OpenAiSimulator;
	/** Of the workspace, with another key: `own-model`. */
	readonly own: OpenAiSimulator;
	/** The workspace sets its own key from now on, or none. */
	pay(payer: "workspace" | "deployment"): Promise<void>;
	close(): Promise<void>;
}

export const HOST_KEY = "sk-of-the-host-7f31";
export const OWN_KEY = "sk-of-the-workspace-9c02";

export async function startTestGateway(built: typeof source): Promise<TestGateway> {
	const folder = await mkdtemp(join(tmpdir(), "stemma-service-"));
	const host = await startOpenAiSimulator({ apiKey: HOST_KEY });
	const own = await startOpenAiSimulator({ apiKey: OWN_KEY });
	const credential = { value: HOST_KEY };
	const configuration = toTestConfiguration(built, folder, {
		encryption: TEST_ENCRYPTION,
		providers: {
			main: {
				provider: "openai-compatible",
				base_url: host.baseUrl,
				credential,
				default_model: "host-model",
				allowed_models: ["host-second"],
			},
		},
		chat: "main",
		embeddings: { base_url: host.baseUrl, model: "host-vectors", credential },
	});
	const service = await built.startService(configuration);
	const credentials = JSON.parse(await readFile(service.firstCredentials.path, "utf8"));
	const token = await fetchToken(sendTo(fetch, undefined, service.url), credentials);
	const send = sendTo(fetch, token, service.url);
	return {
		baseURL: `${service.url}/v1`,
		token,
		send,
		host,
		own,
		async pay(payer) {
			const path = "/v1/workspace/llm-settings";
			const settings = { provider: "openai-compatible", base_url: own.baseUrl, model: "own-model" };
			await demand(
				payer === "workspace"
					? send("PUT", path, { json: { ...settings, api_key: OWN_KEY } })
					: send("DELETE", path),
			);
		},
		async close() {
			await service.close(0);
			await Promise.all([host.close(), own.close()]);
			await rm(folder, { recursive: true, force: true });
		},
	};
}
