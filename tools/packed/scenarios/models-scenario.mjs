// What every platform must be able to do with the packed @stemma/routing. Plain JavaScript, so that it runs anywhere.

const request = { messages: [{ role: "user", content: "Which window is open?" }] };

/** Stand-ins for vendors answer this with a beginning and then nothing more. */
export const ENDLESS = "Count to infinity.";

/** Asks models and rerankers at `vendors`, each of them where it listens, and gives back what a test can compare. */
export async function modelsScenario(packages, vendors) {
	const { routing, bedrock, openAiCompatible, rerankers, aiSdk } = packages;
	const createBedrock = (key) =>
		bedrock.createBedrockModel({ ...vendors.bedrock, credential: bedrock.parseBedrockCredential(key) });
	const openAi = openAiCompatible.createOpenAiCompatibleModel(vendors.openAi);
	return {
		plan: plan(routing),
		openAi: await ask(openAi),
		bearer: await ask(createBedrock(vendors.bearerKey)),
		signed: await askUnlessRefused(() => createBedrock(vendors.awsKey)),
		refused: await describeFailure(createBedrock("no-such-key").generate(request)),
		openAiAborted: await abort(openAi),
		bedrockAborted: await abort(createBedrock(vendors.bearerKey)),
		cohere: await rank(rerankers.createCohereReranker(vendors.cohere)),
		tei: await rank(rerankers.createTeiReranker(vendors.tei)),
		aiSdk: (await aiSdk.fromAiSdk(aiSdkModel).generate(request)).text,
		quoted: await quote(packages),
	};
}

async function ask(model) {
	const { text, finishReason, attempts, usage } = await model.generate(request);
	let streamed = "";
	let reply;
	for await (const event of model.stream(request)) {
		if (event.type === "text.delta") streamed += event.text;
		if (event.type === "finish") reply = event.reply;
	}
	const isSame = reply.text === text && reply.finishReason === finishReason;
	return { text, streamed, isSame, finishReason, attempts, hasUsage: usage?.outputTokens > 0 };
}

/** Where no bodies are streamed, nothing has come when the call is aborted. */
async function abort(model) {
	const controller = new AbortController();
	const end = () => controller.abort(new Error("enough"));
	const messages = [{ role: "user", content: ENDLESS }];
	if (globalThis.ReadableStream === undefined) setTimeout(end, 50);
	try {
		for await (const { type } of model.stream({ messages }, { signal: controller.signal }))
			if (type === "text.delta") end();
		return "finished";
	} catch (error) {
		return error.message;
	}
}

/** A model that cannot work says so when it is made. */
async function askUnlessRefused(create) {
	let model;
	try {
		model = create();
	} catch ({ name, code }) {
		return { name, code };
	}
	return ask(model);
}

const describeFailure = (reply) =>
	reply.then(
		() => "answered",
		({ name, code, attempts }) => ({ name, code, attempts }),
	);

async function rank(reranker) {
	const texts = ["Keys are kept at the desk.", "A late return costs 12 euro."];
	const { scores } = await reranker.rerank("What does a late return cost?", texts);
	return scores[1] > scores[0] ? "second" : "first";
}

const aiSdkModel = {
	specificationVersion: "v2",
	provider: "scripted",
	modelId: "script-1",
	supportedUrls: {},
	doGenerate: async ({ prompt }) => ({
		content: [{ type: "text", text: `Heard ${prompt.length}.` }],
		finishReason: "stop",
		usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
		warnings: [],
	}),
	doStream: () => Promise.reject(new Error("not used")),
};

const WORKSPACE = { provider: "openai-compatible", base_url: "https://api.example.com/v1", model: "writer" };
const OWN = {
	provider: "bedrock",
	base_url: "https://bedrock-runtime.eu-west-1.amazonaws.com",
	credential: "explicit",
	default_model: "eu.example.writer-v1:0",
};

function plan({ resolveModel, planStages }) {
	const deployment = { providers: { own: OWN }, chat: "own" };
	const workspace = { ...WORKSPACE, has_api_key: true };
	const choice = { provider: "bedrock", model: "another" };
	return {
		resolved: resolveModel({ deployment, workspace }).resolved.payer,
		rows: planStages({ deployment, workspace }).rows.map(({ stage, payer }) => `${stage} ${payer}`),
		refusal: resolveModel({ deployment, workspace, choice }).refusal.code,
	};
}

/** A run on the built-in model, which needs neither key nor network. */
async function quote({ core, local, extractive }) {
	const graph = core.defineAgent({
		nodes: [
			{ id: "desk", kind: "coordinator" },
			{ id: "faq", kind: "knowledge", knowledgeBases: ["faq"] },
		],
		edges: [{ from: "desk", to: "faq", mode: "before" }],
	});
	const place = { heading: "Refunds", start: 0, end: 31 };
	const passage = { passage_id: "psg_1", document_id: "doc_1", title: "Refunds", place };
	const text = "Refunds take five working days.";
	const model = extractive.createExtractiveModel();
	const ports = {
		models: { resolve: () => ({ model, payer: "none", reason: "Built in." }) },
		retriever: { retrieve: async () => ({ passages: [{ ...passage, text }] }) },
	};
	const agent = local.createLocalAgent(graph, { ports });
	const { status, citations } = await agent.run({ input: "How long do refunds take?" });
	return { status, citations: citations.map(({ title }) => title) };
}

const answered = {
	text: "No passages were given for: Which window is open?",
	streamed: "No passages were given for: Which window is open?",
	isSame: true,
	finishReason: "stop",
	attempts: 1,
	hasUsage: true,
};

/** What {@link modelsScenario} must give everywhere; but see `signed` where there is no WebCrypto. */
export const expectedOfModels = {
	plan: {
		resolved: "workspace",
		rows: ["rewrite workspace", "embed none", "score workspace", "answer workspace", "index none"],
		refusal: "credential_required",
	},
	openAi: answered,
	bearer: answered,
	signed: answered,
	refused: { name: "ProviderError", code: "invalid_credential", attempts: 1 },
	openAiAborted: "enough",
	bedrockAborted: "enough",
	cohere: "second",
	tei: "second",
	aiSdk: "Heard 1.",
	quoted: { status: "completed", citations: ["Refunds"] },
};

/** What `signed` is there. */
export const UNSIGNED = { name: "ConfigurationError", code: "signing_not_supported" };
