import { startBedrockSimulator } from "@stemma/simulators/bedrock";
import { startOpenAiSimulator } from "@stemma/simulators/openai";
import { startRerankerSimulator } from "@stemma/simulators/reranker";
import { createSecret } from "./canaries";
import { type CanaryEcho, startCanaryEcho } from "./echo-server";

/** All that a service is given to keep for itself, by what it is. */
export type CanarySecrets = ReturnType<typeof createCanarySecrets>;

export const createCanarySecrets = () => ({
	/** Of the deployment. */
	host: createSecret("sk-host-"),
	hostAws: createSecret(),
	hostSession: createSecret(),
	embeddings: createSecret("sk-embeddings-"),
	rerank: createSecret("sk-rerank-"),
	/** Of the workspace. */
	own: createSecret("sk-own-"),
	ownAws: createSecret(),
	ownSession: createSecret(),
	ownBearer: createSecret("bedrock-api-key-"),
	tool: `${createSecret()}"\\é`,
	deletedTool: createSecret(),
	/** Sent to their servers. */
	usedTool: createSecret(),
	pushToken: createSecret(),
	pushCredentials: createSecret(),
});

export interface CanaryVendors {
	/** For `stemma.config.json`. */
	readonly configuration: object;
	/** Those that a workspace may set, one for each kind of credential. */
	settings(secrets: CanarySecrets): readonly { provider: string; base_url: string; api_key: string }[];
	/** The next vectors and scores are none, but all secrets. */
	echoNext(): void;
	/** Of somebody else. */
	readonly echo: CanaryEcho;
	readonly ownUrl: string;
	readonly ownBedrockUrl: string;
	close(): Promise<void>;
}

/** What each of them does with a model of this name: it repeats what nobody may read. */
export const ECHOES = ["echo-401", "echo-500", "echo-html", "echo-half"] as const;

const HOST_ACCESS = "AKIAHOSTHOSTHOSTHOST";
const OWN_ACCESS = "AKIAOWNOWNOWNOWNOWN0";

export async function startCanaryVendors(secrets: CanarySecrets): Promise<CanaryVendors> {
	const words = Object.values(secrets).join(" ");
	const echo = (model: string) => {
		const headers = { "x-echo": encodeURIComponent(words) };
		const message = `Incorrect API key provided: ${words}`;
		if (model === "echo-401") return { kind: "failure", status: 401, headers, message } as const;
		if (model === "echo-500") return { kind: "failure", status: 500, headers, message } as const;
		if (model === "echo-html") return { kind: "raw", headers, body: `<p>${words}</p>` } as const;
		if (model === "echo-half")
			return { kind: "raw", headers, body: `data: {"error": {"message": "${words}` } as const;
		return { kind: "reply", text: "All is well." } as const;
	};
	const openAi = (apiKey: string) =>
		startOpenAiSimulator({ apiKey, behaviour: ({ model }) => echo(String(model)) });
	const bedrock = (secretAccessKey: string, sessionToken: string, accessKeyId: string) =>
		startBedrockSimulator({
			credentials: [{ accessKeyId, secretAccessKey, sessionToken }],
			bearerKeys: [secrets.ownBearer],
			behaviour: (_, { modelId }) => echo(modelId),
		});
	const [host, own, embedder, hostBedrock, ownBedrock, reranker, echoServer] = await Promise.all([
		openAi(secrets.host),
		openAi(secrets.own),
		openAi(secrets.embeddings),
		bedrock(secrets.hostAws, secrets.hostSession, HOST_ACCESS),
		bedrock(secrets.ownAws, secrets.ownSession, OWN_ACCESS),
		startRerankerSimulator({ vendor: "cohere", apiKey: secrets.rerank }),
		startCanaryEcho(),
	]);
	const hostAws = `${HOST_ACCESS}:${secrets.hostAws}:us-east-1:${secrets.hostSession}`;
	return {
		echoNext() {
			embedder.enqueue(echo("echo-401"));
			reranker.enqueue({ kind: "failure", status: 401, message: words });
		},
		echo: echoServer,
		ownUrl: own.baseUrl,
		ownBedrockUrl: ownBedrock.baseUrl,
		configuration: {
			providers: {
				host: {
					provider: "openai-compatible",
					base_url: host.baseUrl,
					credential: { env: "HOST_KEY" },
					default_model: "usual",
					allowed_models: ECHOES,
				},
				amazon: {
					provider: "bedrock",
					base_url: hostBedrock.baseUrl,
					credential: { value: hostAws },
					default_model: "usual",
				},
			},
			chat: "host",
			embeddings: {
				base_url: embedder.baseUrl,
				credential: { value: secrets.embeddings },
				model: "vectors",
				dimensions: 8,
			},
			rerank: {
				provider: "cohere",
				base_url: reranker.baseUrl,
				credential: { value: secrets.rerank },
				model: "rerank-v3.5",
			},
			outbound: { allow: ["127.0.0.1"] },
		},
		settings: ({ own: api_key, ownAws, ownSession, ownBearer }) => [
			{ provider: "openai-compatible", base_url: own.baseUrl, api_key },
			{
				provider: "bedrock",
				base_url: ownBedrock.baseUrl,
				api_key: `${OWN_ACCESS}:${ownAws}:us-east-1:${ownSession}`,
			},
			{ provider: "bedrock", base_url: ownBedrock.baseUrl, api_key: ownBearer },
		],
		async close() {
			await Promise.all(
				[host, own, embedder, hostBedrock, ownBedrock, reranker, echoServer].map((vendor) => vendor.close()),
			);
		},
	};
}
