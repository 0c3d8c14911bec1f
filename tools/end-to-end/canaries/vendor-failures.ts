import { createSecret } from "./canaries";
import type { RouteCoverage } from "./every-route";
import type { Recorder } from "./recorder";
import { type CanarySecrets, type CanaryVendors, ECHOES } from "./vendors";

const SETTINGS = "/v1/workspace/llm-settings";

/** Has vendors repeat all secrets in their errors, by every way to a model and whoever pays. */
export async function triggerEchoes(
	recorder: Recorder,
	{ knowledgeBase }: RouteCoverage,
	secrets: CanarySecrets,
	vendors: CanaryVendors,
): Promise<readonly number[]> {
	const statuses: number[] = [];
	const send = async (path: string, json: object) => {
		const { status } = await recorder.send("POST", path, { json, revealedFields: ["run_token"] });
		statuses.push(status);
	};
	const messages = [{ role: "user", content: "Hello?" }];
	const question = { question: "When does the office open?", knowledge_base_ids: [knowledgeBase] };
	async function ask(payer: string): Promise<void> {
		await Promise.all(
			ECHOES.flatMap((model) => [
				...[false, true].flatMap((stream) => [
					send("/v1/chat/completions", { model, messages, stream }),
					send("/v1/ask", { ...question, model: { model }, stream }),
				]),
				run(`${payer}-${model}`, model),
			]),
		);
	}
	async function run(slug: string, model: string): Promise<void> {
		const graph = { nodes: [{ id: "desk", kind: "coordinator", model: { model } }], edges: [] };
		const { body } = await recorder.send("POST", "/v1/agents", { json: { graph, slug } });
		await send(`/v1/agents/${body.id}/run`, { input: "Hello?" });
	}
	await ask("host");
	for (const [index, { provider, base_url, api_key }] of vendors.settings(secrets).entries()) {
		await recorder.send("PUT", SETTINGS, { json: { provider, base_url, model: "echo-401", api_key } });
		await recorder.send("POST", `${SETTINGS}/test`, { json: {} });
		await ask(`own-${index}`);
	}
	vendors.echoNext();
	await send("/v1/search", { query: "office", knowledge_base_ids: [knowledgeBase] });
	vendors.echoNext();
	await send("/v1/embeddings", { model: "default", input: "A page." });
	return statuses;
}

/** Keys of vendors as nobody may set them, by what is wrong. */
export type BrokenKeys = ReturnType<typeof createBrokenKeys>;

export const createBrokenKeys = () => ({
	"secret without an access key id": createSecret(),
	"secret with too many parts": createSecret(),
	"half a JSON": createSecret(),
	"JSON of another kind": createSecret(),
	"JSON with one part alone": createSecret(),
	"expired keys": createSecret(),
	"a key of two lines": createSecret(),
	"a key that is wrong": createSecret(),
	"a key in the address": createSecret(),
	"a key in the path of the address": createSecret(),
});

/** Sets and tests credentials that are half-formed or wrong. */
export async function setBrokenKeys(
	recorder: Recorder,
	keys: BrokenKeys,
	vendors: CanaryVendors,
): Promise<void> {
	const bedrock = (api_key: string) => ({
		provider: "bedrock",
		base_url: vendors.ownBedrockUrl,
		model: "m",
		api_key,
	});
	const openAi = (api_key: unknown, base_url = vendors.ownUrl) => ({
		provider: "openai-compatible",
		base_url,
		model: "usual",
		api_key,
	});
	const named = { access_key_id: "AKIAOWNOWNOWNOWNOWN0" };
	const bodies = [
		bedrock(`:${keys["secret without an access key id"]}`),
		bedrock(`AKIAOWNOWNOWNOWNOWN0:${keys["secret with too many parts"]}:us-east-1:t:u:v`),
		bedrock(`{"access_key_id": "AKIAOWNOWNOWNOWNOWN0", "secret_access_key": "${keys["half a JSON"]}`),
		bedrock(JSON.stringify([keys["JSON of another kind"]])),
		bedrock(JSON.stringify({ secret_access_key: keys["JSON with one part alone"] })),
		bedrock(
			JSON.stringify({
				...named,
				secret_access_key: keys["expired keys"],
				session_token: keys["expired keys"],
				Expiration: "2020-01-01T00:00:00Z",
			}),
		),
		openAi(`sk\n${keys["a key of two lines"]}`),
		openAi({ value: keys["a key that is wrong"] }),
		openAi("sk", `https://user:${encodeURIComponent(keys["a key in the address"])}@models.example/v1`),
		openAi("sk", `https://models.example/v1?key=${encodeURIComponent(keys["a key in the address"])}`),
		openAi("sk", `ftp://models.example/${encodeURIComponent(keys["a key in the path of the address"])}`),
		openAi("sk", keys["a key in the path of the address"]),
	];
	for (const json of bodies) {
		await recorder.send("PUT", SETTINGS, { json });
		await recorder.send("POST", `${SETTINGS}/test`, { json });
	}
	await recorder.send("POST", `${SETTINGS}/test`, { json: openAi(keys["a key that is wrong"]) });
	await recorder.send("PUT", SETTINGS, { json: openAi(keys["a key that is wrong"]) });
	await recorder.send("POST", "/v1/chat/completions", {
		json: { model: "default", messages: [{ role: "user", content: "Hello?" }] },
	});
}
