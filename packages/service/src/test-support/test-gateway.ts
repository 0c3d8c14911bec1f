import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import type * as source from "../index";
import { type SendRequest, sendTo } from "./send-request";
import { getBody } from "./tenant";
import { fetchToken, TEST_ENCRYPTION, toTestConfiguration } from "./test-deployment";

/** A service on a port, a vendor that the deployment pays, and one that its workspace may pay. */
export interface TestGateway {
	/** `http://127.0.0.1:<port>/v1` */
	readonly baseURL: string;
	readonly token: string;
	readonly send: SendRequest;
	/** Of the deployment: `host-model`, `host-second` and the vectors of `host-vectors`. */
	readonly deploymentVendor: OpenAiSimulator;
	/** Of the workspace, with another key: `own-model`. */
	readonly workspaceVendor: OpenAiSimulator;
	/** The workspace sets its own key from now on, or none. */
	setPayer(payer: "workspace" | "deployment"): Promise<void>;
	close(): Promise<void>;
}

export const DEPLOYMENT_KEY = "sk-of-the-host-7f31";
export const WORKSPACE_KEY = "sk-of-the-workspace-9c02";

export async function startTestGateway(built: typeof source): Promise<TestGateway> {
	const folder = await mkdtemp(join(tmpdir(), "stemma-service-"));
	const deploymentVendor = await startOpenAiSimulator({ apiKey: DEPLOYMENT_KEY });
	const workspaceVendor = await startOpenAiSimulator({ apiKey: WORKSPACE_KEY });
	const credential = { value: DEPLOYMENT_KEY };
	const configuration = toTestConfiguration(built, folder, {
		encryption: TEST_ENCRYPTION,
		providers: {
			main: {
				provider: "openai-compatible",
				base_url: deploymentVendor.baseUrl,
				credential,
				default_model: "host-model",
				allowed_models: ["host-second"],
			},
		},
		chat: "main",
		embeddings: { base_url: deploymentVendor.baseUrl, model: "host-vectors", credential },
	});
	const service = await built.startService(configuration);
	const credentials = JSON.parse(await readFile(service.bootstrapCredentials.path, "utf8"));
	const token = await fetchToken(sendTo(fetch, undefined, service.url), credentials);
	const send = sendTo(fetch, token, service.url);
	return {
		baseURL: `${service.url}/v1`,
		token,
		send,
		deploymentVendor,
		workspaceVendor,
		async setPayer(payer) {
			const path = "/v1/workspace/llm-settings";
			const settings = {
				provider: "openai-compatible",
				base_url: workspaceVendor.baseUrl,
				model: "own-model",
			};
			await getBody(
				payer === "workspace"
					? send("PUT", path, { json: { ...settings, api_key: WORKSPACE_KEY } })
					: send("DELETE", path),
			);
		},
		async close() {
			await service.close(0);
			await Promise.all([deploymentVendor.close(), workspaceVendor.close()]);
			await rm(folder, { recursive: true, force: true });
		},
	};
}
