// Each method of the packed `Stemma`, called once. Plain JavaScript, so that it runs on every platform.
import { holdBack } from "./held-text.mjs";

const QUESTION = "How long do refunds take?";
const REQUEST = { input: QUESTION, context: { customer: "Ada" } };

/** A sync may have ended before it was cancelled. */
function passIfEnded(error) {
	if (error.code !== "sync_not_running") throw error;
}

/** What pages and apps call, with a client key. */
const FOR_CLIENT_KEYS = {
	"agents.run": ({ stemma, agent }) => stemma.agents.run(agent, REQUEST),
	"agents.stream": ({ stemma, agent }) => stemma.agents.stream(agent, REQUEST).result(),
	async "agents.start"(context) {
		const { mark } = holdBack(context);
		const { id, run_token } = await context.stemma.agents.start(context.heldAgent, { input: mark });
		context.started = id;
		context.token = { run_token };
	},
	"runs.get": ({ stemma, started, token }) => stemma.runs.get(started, token),
	async "runs.cancel"({ stemma, started, token }) {
		await stemma.runs.cancel(started, token);
		const { status } = await stemma.runs.stream(started, token).result();
		if (status !== "cancelled") throw new Error(`The run is ${status}.`);
	},
	"runs.stream": ({ stemma, started, token }) => stemma.runs.stream(started, token).result(),
	ask: ({ stemma, where }) => stemma.ask({ question: QUESTION, ...where }),
	"ask.stream": ({ stemma, where }) => stemma.ask.stream({ question: QUESTION, ...where }).answer(),
	search: ({ stemma, where }) => stemma.search({ query: QUESTION, ...where }),
	"chatCompletions.create": ({ stemma, chat }) => stemma.chatCompletions.create(chat),
	async "chatCompletions.stream"({ stemma, chat }) {
		for await (const _ of stemma.chatCompletions.stream(chat));
	},
	"chatCompletions.models": ({ stemma }) => stemma.chatCompletions.models(),
	"chatCompletions.model": ({ stemma }) => stemma.chatCompletions.model("default"),
	"chatCompletions.resolveModels": ({ stemma, where }) =>
		stemma.chatCompletions.resolveModels({ nodes: [{ node: "desk" }], ...where }),
};

/** What servers call besides, in an order in which each finds what it needs. */
const FOR_SERVERS = {
	accessToken: ({ stemma }) => stemma.accessToken(),
	async fetch({ stemma, baseUrl }) {
		const { status } = await stemma.fetch(`${baseUrl}/v1/models`);
		if (status !== 200) throw new Error(`The models answer ${status}.`);
	},
	"health.alive": ({ stemma }) => stemma.health.alive(),
	"health.ready": ({ stemma }) => stemma.health.ready(),
	"embeddings.create": ({ stemma }) => stemma.embeddings.create({ model: "default", input: "A page." }),
	"agents.list": ({ stemma }) => stemma.agents.list(),
	async "agents.create"(context) {
		context.created = await context.stemma.agents.create({ graph: GRAPH });
	},
	"agents.get": ({ stemma, created }) => stemma.agents.get(created.id),
	"agents.replace": ({ stemma, created }) => stemma.agents.replace(created.id, { graph: GRAPH }),
	"runs.list": ({ stemma }) => stemma.runs.list({ limit: 1 }),
	async "runs.decide"({ stemma, created, agent }) {
		await stemma.agents.replace(created.id, { graph: toApprovalGraph(agent) });
		const { run_id, approvals } = await stemma.agents.run(created.id, { input: QUESTION });
		await stemma.runs.decide(run_id, approvals[0].id, { decision: "deny" });
	},
	"agents.versions.list": ({ stemma, created }) => stemma.agents.versions.list(created.id),
	"agents.versions.get": ({ stemma, created }) => stemma.agents.versions.get(created.id, 1),
	"agents.versions.restore": ({ stemma, created }) => stemma.agents.versions.restore(created.id, 1),
	"agents.delete": ({ stemma, created }) => stemma.agents.delete(created.id),
	async "runs.shares.create"(context) {
		const { run_id } = await context.stemma.agents.run(context.agent, REQUEST);
		context.share = await context.stemma.runs.shares.create(run_id, { fields: ["input", "output"] });
	},
	"runs.shares.list": ({ stemma }) => stemma.runs.shares.list(),
	async "runs.shares.open"({ stemma, share }) {
		const { input } = await stemma.runs.shares.open(share.token);
		if (input !== QUESTION) throw new Error(`The shared run has the input ${input}.`);
	},
	"runs.shares.delete": ({ stemma, share }) => stemma.runs.shares.delete(share.id),
	async "runs.sendFeedback"(context) {
		const { run_id } = await context.stemma.agents.run(context.agent, REQUEST);
		context.rated = run_id;
		await context.stemma.runs.sendFeedback(run_id, { rating: "up", tags: ["clear"] });
	},
	async "ask.sendFeedback"(context) {
		const { stemma, where } = context;
		const { answer_id } = await stemma.ask({ question: QUESTION, ...where, store: true });
		context.answer = answer_id;
		await stemma.ask.sendFeedback(answer_id, { rating: "down", comment: "Too short." });
	},
	"feedback.list": ({ stemma }) => stemma.feedback.list({ limit: 1 }),
	async "feedback.export"({ stemma, rated }) {
		const runs = [];
		for await (const { run_id } of stemma.feedback.export()) runs.push(run_id);
		if (!runs.includes(rated)) throw new Error(`The export has ${runs}.`);
	},
	"runs.deleteFeedback": ({ stemma, rated }) => stemma.runs.deleteFeedback(rated),
	"ask.deleteFeedback": ({ stemma, answer }) => stemma.ask.deleteFeedback(answer),
	async "threads.create"(context) {
		const { stemma, where } = context;
		context.thread = (await stemma.threads.create()).id;
		await stemma.ask({ question: QUESTION, thread_id: context.thread, ...where });
	},
	"threads.list": ({ stemma }) => stemma.threads.list({ query: "refunds" }),
	"threads.get": ({ stemma, thread }) => stemma.threads.get(thread),
	"threads.update": ({ stemma, thread }) => stemma.threads.update(thread, { metadata: { visit: "1" } }),
	"threads.messages": ({ stemma, thread }) => stemma.threads.messages(thread),
	"threads.generateTitle": ({ stemma, thread }) => stemma.threads.generateTitle(thread),
	"threads.export": ({ stemma, thread }) => stemma.threads.export(thread),
	"threads.delete": ({ stemma, thread }) => stemma.threads.delete(thread),
	async "knowledge.create"(context) {
		context.base = await context.stemma.knowledge.create({ name: "Every method" });
	},
	"knowledge.list": ({ stemma }) => stemma.knowledge.list({ limit: 1 }),
	"knowledge.get": ({ stemma, base }) => stemma.knowledge.get(base.id),
	"knowledge.update": ({ stemma, base }) => stemma.knowledge.update(base.id, { description: "One." }),
	async "knowledge.documents.addText"(context) {
		const { documents } = context.stemma.knowledge;
		context.added = await documents.addText(context.base.id, { text: "# One\n\nA page." });
	},
	"knowledge.documents.upload": ({ stemma, base }) =>
		stemma.knowledge.documents.upload(base.id, {
			// A stream: Node 18 warns of its own FormData, which takes bytes.
			file: new Response("# Two\n\nA page.").body,
			name: "two.md",
		}),
	"knowledge.documents.waitUntilReady": ({ stemma, base, added }) =>
		stemma.knowledge.documents.waitUntilReady(base.id, added, { pollMs: 20 }),
	"knowledge.documents.list": ({ stemma, base }) => stemma.knowledge.documents.list(base.id),
	"knowledge.documents.get": ({ stemma, base, added }) =>
		stemma.knowledge.documents.get(base.id, added.data[0].id),
	"knowledge.documents.find": ({ stemma, added }) => stemma.knowledge.documents.find(added.data[0].id),
	async "knowledge.documents.text"({ stemma, base, added }) {
		const { text } = await stemma.knowledge.documents.text(base.id, added.data[0].id);
		if (!text.includes("A page.")) throw new Error(`The text is ${text}.`);
	},
	async "knowledge.documents.file"({ stemma, base, added }) {
		const file = await stemma.knowledge.documents.file(base.id, added.data[0].id);
		const bytes = await file.bytes();
		if (bytes.length !== file.size) throw new Error(`The file has ${bytes.length} bytes.`);
	},
	"knowledge.documents.retry": ({ stemma, base, added }) =>
		stemma.knowledge.documents.retry(base.slug, added.data[0].id),
	"knowledge.documents.delete": ({ stemma, base, added }) =>
		stemma.knowledge.documents.delete(base.id, added.data[0].id),
	async "knowledge.sources.create"(context) {
		const settings = { kind: "url", url: "https://docs.stemma.invalid/page" };
		context.source = await context.stemma.knowledge.sources.create(context.base.id, { settings });
	},
	"knowledge.sources.list": ({ stemma, base }) => stemma.knowledge.sources.list(base.id),
	"knowledge.sources.get": ({ stemma, base, source }) => stemma.knowledge.sources.get(base.id, source.id),
	"knowledge.sources.update": ({ stemma, base, source }) =>
		stemma.knowledge.sources.update(base.id, source.id, { name: "Page" }),
	async "knowledge.sources.sync"({ stemma, base, source }) {
		const { id } = await stemma.knowledge.sources.sync(base.id, source.id);
		if (!id.startsWith("sync_")) throw new Error(`The sync is ${id}.`);
	},
	"knowledge.sources.cancelSync": ({ stemma, base, source }) =>
		stemma.knowledge.sources.cancelSync(base.id, source.id).catch(passIfEnded),
	"knowledge.sources.listSyncs": ({ stemma, base, source }) =>
		stemma.knowledge.sources.listSyncs(base.id, source.id),
	"knowledge.sources.delete": ({ stemma, base, source }) =>
		stemma.knowledge.sources.delete(base.id, source.id, { keepDocuments: true }),
	"knowledge.reindexes.plan": ({ stemma, base }) => stemma.knowledge.reindexes.plan(base.id, { to: "none" }),
	"knowledge.reindexes.start": ({ stemma, base }) =>
		stemma.knowledge.reindexes.start(base.id, { to: "none" }),
	"knowledge.reindexes.get": ({ stemma, base }) => stemma.knowledge.reindexes.get(base.id),
	"knowledge.reindexes.drop": ({ stemma, base }) => stemma.knowledge.reindexes.drop(base.id),
	"knowledge.delete": ({ stemma, base }) => stemma.knowledge.delete(base.id),
	"llmSettings.get": ({ stemma }) => stemma.llmSettings.get(),
	"llmSettings.set": ({ stemma }) => stemma.llmSettings.set(SETTINGS),
	"llmSettings.test": ({ stemma }) => stemma.llmSettings.test(SETTINGS),
	"llmSettings.delete": ({ stemma }) => stemma.llmSettings.delete(),
	"llmSettings.stages": ({ stemma }) => stemma.llmSettings.stages(),
	"llmSettings.providers": ({ stemma }) => stemma.llmSettings.providers(),
	"workspaceSecrets.set": ({ stemma }) =>
		stemma.workspaceSecrets.set("crm", { server_url: "https://crm.example/mcp", value: "a token" }),
	"workspaceSecrets.list": ({ stemma }) => stemma.workspaceSecrets.list(),
	"workspaceSecrets.get": ({ stemma }) => stemma.workspaceSecrets.get("crm"),
	"workspaceSecrets.delete": ({ stemma }) => stemma.workspaceSecrets.delete("crm"),
	async "apiClients.create"(context) {
		context.client = await context.stemma.apiClients.create({ name: "every method" });
	},
	"apiClients.list": ({ stemma }) => stemma.apiClients.list(),
	"apiClients.get": ({ stemma, client }) => stemma.apiClients.get(client.id),
	"apiClients.rotate": ({ stemma, client }) => stemma.apiClients.rotate(client.id),
	"apiClients.delete": ({ stemma, client }) => stemma.apiClients.delete(client.id),
	async "clientKeys.create"(context) {
		context.key = await context.stemma.clientKeys.create({ name: "every method", native: true });
	},
	"clientKeys.list": ({ stemma }) => stemma.clientKeys.list(),
	"clientKeys.get": ({ stemma, key }) => stemma.clientKeys.get(key.id),
	"clientKeys.delete": ({ stemma, key }) => stemma.clientKeys.delete(key.id),
	async "workspaces.create"(context) {
		const name = `Every method ${Math.random()}`;
		context.workspace = (await context.stemma.workspaces.create({ name })).id;
	},
	"workspaces.list": ({ stemma }) => stemma.workspaces.list(),
	"workspaces.get": ({ stemma, workspace }) => stemma.workspaces.get(workspace),
	"workspaces.update": ({ stemma, workspace }) =>
		stemma.workspaces.update(workspace, { name: `Renamed ${workspace}` }),
	"workspaces.delete": ({ stemma, workspace }) => stemma.workspaces.delete(workspace),
	async "members.export"({ stemma }) {
		for await (const _ of stemma.members.export("usr_unknown"));
	},
	"members.erase": ({ stemma }) => stemma.members.erase("usr_unknown"),
	async "invitations.create"(context) {
		const email = `${Math.random()}@example.com`;
		context.invitation = (await context.stemma.invitations.create({ email, role: "viewer" })).id;
	},
	"invitations.list": ({ stemma }) => stemma.invitations.list(),
	"invitations.delete": ({ stemma, invitation }) => stemma.invitations.delete(invitation),
	"members.list": ({ stemma }) => stemma.members.list(),
	"members.update": ({ stemma }) => stemma.members.update("usr_none", { role: "viewer" }),
	"members.delete": ({ stemma }) => stemma.members.delete("usr_none"),
	usage: ({ stemma }) => stemma.usage(),
	"audit.list": ({ stemma }) => stemma.audit.list({ limit: 1 }),
};

const GRAPH = { nodes: [{ id: "writer", kind: "coordinator" }] };

/** Asks another agent, after an approval. */
const toApprovalGraph = (agent) => ({
	nodes: [
		{ id: "desk", kind: "coordinator" },
		{ id: "other", kind: "remote", agentId: agent, approval: true },
	],
	edges: [{ from: "desk", to: "other", mode: "before" }],
});

const SETTINGS = { provider: "openai-compatible", base_url: "https://models.example/v1", model: "one" };

/** Names of methods for which a call is written. */
export const calledMethods = [...Object.keys(FOR_CLIENT_KEYS), ...Object.keys(FOR_SERVERS)];

/** Calls what pages and apps call, each method once, and returns what each came to. */
export const callWithClientKey = (options) => callEach(FOR_CLIENT_KEYS, options);

/** Calls each method once and returns what each came to, and the methods that no call is written for. */
export async function callEveryMethod(options) {
	const calls = { ...FOR_CLIENT_KEYS, ...FOR_SERVERS };
	const uncalled = listMethods(options.stemma).filter((name) => !(name in calls));
	return { outcomes: await callEach(calls, options), uncalled };
}

async function callEach(calls, options) {
	const context = {
		...options,
		where: { knowledge_base_ids: [options.knowledgeBaseId] },
		chat: { model: "default", messages: [{ role: "user", content: QUESTION }] },
	};
	const outcomes = {};
	for (const [name, call] of Object.entries(calls)) outcomes[name] = await outcomeOf(() => call(context));
	return outcomes;
}

async function outcomeOf(call) {
	try {
		await call();
		return "ok";
	} catch (error) {
		return error.code ?? String(error);
	}
}

/** `agents.run`, `ask`, `ask.stream`: all that can be called, but for the client underneath, and for sessions and authorizations, which pages of the service have. */
export function listMethods(value, prefix = "") {
	return Object.entries(value).flatMap(([name, member]) => {
		const path = `${prefix}${name}`;
		if (path === "client" || path === "session" || path === "authorizations") return [];
		return [...(typeof member === "function" ? [path] : []), ...listMethods(member, `${path}.`)];
	});
}

/** The service has no model for vectors, so that none can be moved, and no key to encrypt with. */
function expectedOf(name) {
	if (name === "embeddings.create") return "embeddings_not_configured";
	if (/^knowledge\.reindexes\.(plan|start)$/.test(name)) return "reindex_not_needed";
	if (name === "knowledge.reindexes.drop") return "reindex_not_found";
	if (/^members\.(update|delete|export|erase)$/.test(name)) return "member_not_found";
	return /^(llmSettings|workspaceSecrets)\./.test(name) ? "encryption_not_configured" : "ok";
}

const expectedOfAll = (calls) =>
	Object.fromEntries(Object.keys(calls).map((name) => [name, expectedOf(name)]));

/** What {@link callWithClientKey} must return. */
export const expectedWithClientKey = expectedOfAll(FOR_CLIENT_KEYS);

/** What {@link callEveryMethod} must return. */
export const expectedOfEveryMethod = {
	outcomes: expectedOfAll({ ...FOR_CLIENT_KEYS, ...FOR_SERVERS }),
	uncalled: [],
};
