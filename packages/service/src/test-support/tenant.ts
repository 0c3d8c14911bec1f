import { setTimeout as wait } from "node:timers/promises";
import type { CreatedInvitation, CreatedRunShare, CurrentSession } from "@stemma/client";
import type { SendRequest, TestRequest, TestResponse } from "./send-request";
import type { TestDeployment, TestWorkspace } from "./test-deployment";

/** A workspace with one of everything, each named after the tenant. */
export interface Tenant extends TestWorkspace {
	/** A word that is in all that the tenant keeps, and nowhere else. */
	readonly marker: string;
	readonly knowledgeBase: string;
	readonly knowledgeBaseSlug: string;
	readonly document: string;
	/** A source whose address answers nothing. */
	readonly source: string;
	readonly agent: string;
	/** Number of its first version. */
	readonly version: string;
	/** Of an agent; the other's has another. */
	readonly slug: string;
	readonly client: string;
	readonly clientSecret: string;
	/** `ck_<id>` */
	readonly keyId: string;
	/** `ck_<id>_<secret>` */
	readonly clientKey: string;
	/** A run that the first client has started, and its token. */
	readonly run: string;
	readonly runToken: string;
	/** … and one of the client key. */
	readonly keyRun: string;
	readonly keyRunToken: string;
	/** Thread of the first client, in which the run has answered. */
	readonly thread: string;
	/** Answer of the run. */
	readonly message: string;
	/** Thread of the client key, and its token. */
	readonly keyThread: string;
	readonly keyThreadToken: string;
	/** A stored answer that the first client has asked for, and its token; both it and the run are rated. */
	readonly answer: string;
	readonly answerToken: string;
	/** … and one of the client key. */
	readonly keyAnswer: string;
	readonly keyAnswerToken: string;
	/** Feedback on the answer. */
	readonly feedback: string;
	/** Link to the run, and its token. */
	readonly share: string;
	readonly shareToken: string;
	/** Opens the document, for a while. */
	readonly documentToken: string;
	/** A stored response of the first client, and one of the client key with a visitor. */
	readonly response: string;
	readonly keyResponse: string;
	/** What an approval is called; none of the runs waits for one. */
	readonly approval: string;
	/** The name of a secret that the other has none of. */
	readonly secret: string;
	/** The server that its secrets are for. */
	readonly server: string;
	/** Of a record of the audit. */
	readonly audit: string;
	/** A member, with a session and an invitation to come back. */
	readonly user: string;
	readonly session: string;
	readonly invitation: string;
	/** Where the model of the workspace answers; left out: it has set none. */
	readonly vendor?: string | undefined;
}

/** A word that the documents of all tenants share, so that a search would find each of them. */
export const SHARED_WORD = "harbour";
/** Each tenant has a document with this source. */
export const SHARED_SOURCE = "harbour.md";
/** Each tenant has an agent with this slug. */
export const SHARED_SLUG = "desk";
/** Secret of the visitor who asks with the client key: the same of each tenant. */
export const VISITOR = "0123456789abcdef0123456789abcdef";
/** Each tenant has a secret of this name. */
export const SHARED_SECRET = "tool-token";

export const toKnowledgeGraph = (name: string, knowledgeBase: string): object => ({
	name,
	nodes: [
		{ id: "desk", kind: "coordinator", instructions: "Answer from the passages." },
		{ id: "books", kind: "knowledge", knowledgeBases: [knowledgeBase] },
	],
	edges: [{ from: "desk", to: "books", mode: "before" }],
});

/** @param vendor - of a model that the workspace sets, with a key of its own; left out: none. */
export async function addTenant(
	deployment: TestDeployment,
	marker: string,
	vendor?: string,
): Promise<Tenant> {
	const workspace = await deployment.addWorkspace(marker);
	if (vendor !== undefined) await setModel(workspace, marker, vendor);
	const server = `http://127.0.0.1:9/${marker}/mcp`;
	const secret = `${marker}-token`;
	for (const name of [secret, SHARED_SECRET])
		await getBody(
			workspace.send("PUT", `/v1/workspace/secrets/${name}`, {
				json: { server_url: server, value: `value of ${marker}` },
			}),
		);
	const create = <Made>(path: string, request: TestRequest): Promise<Made> =>
		getBody<Made>(workspace.send("POST", path, request));
	const base = await create<Named & { slug: string }>("/v1/knowledge-bases", {
		json: { name: `${marker} books` },
	});
	const { data } = await create<{ readonly data: readonly Named[] }>(
		`/v1/knowledge-bases/${base.id}/documents`,
		{
			json: { text: `# ${marker}\n\nThe ${marker} ${SHARED_WORD} opens at nine.`, source: SHARED_SOURCE },
		},
	);
	const source = await create<Named>(`/v1/knowledge-bases/${base.id}/sources`, {
		json: { name: `${marker} pages`, settings: { kind: "url", url: `http://127.0.0.1:9/${marker}` } },
	});
	const graph = toKnowledgeGraph(`${marker} desk`, base.id);
	const agent = await create<Named>("/v1/agents", { json: { graph, slug: SHARED_SLUG } });
	const slug = `only-${marker}`;
	await create<Named>("/v1/agents", { json: { graph, slug } });
	const client = await create<Named & { client_secret: string }>("/v1/clients", {
		json: { name: `${marker} server` },
	});
	const key = await create<Named & { client_key: string }>("/v1/client-keys", {
		json: {
			name: `${marker} app`,
			native: true,
			models: true,
			expose: "trace",
			requests_per_minute: 1_000_000,
			tokens_per_day: 1_000_000_000,
		},
	});
	await waitUntilIndexed(workspace.send, base.id);
	const json = { input: `When does the ${SHARED_WORD} open?` };
	const thread = await create<Named>("/v1/threads", { json: { title: `Thread of ${marker}` } });
	const keyThread = await create<Named & { token: string }>("/v1/threads", {
		token: key.client_key,
		json: {},
	});
	const run = await create<StartedRun & { message_id: string }>(`/v1/agents/${agent.id}/run`, {
		json: { ...json, thread_id: thread.id },
	});
	const keyRun = await create<StartedRun>(`/v1/agents/${agent.id}/run`, { json, token: key.client_key });
	const toAnswer = (token: string) =>
		create<StoredAnswer>("/v1/ask", {
			json: { question: json.input, knowledge_base_ids: [base.id], store: true },
			token,
		});
	const answer = await toAnswer(workspace.token);
	const keyAnswer = await toAnswer(key.client_key);
	const rating = { json: { rating: "up", comment: `${marker} is right.` } };
	await create<Named>(`/v1/runs/${run.run_id}/feedback`, rating);
	const feedback = await create<Named>(`/v1/answers/${answer.answer_id}/feedback`, rating);
	const share = await create<CreatedRunShare>(`/v1/runs/${run.run_id}/shares`, {
		json: { fields: ["input", "output", "steps", "receipt"] },
	});
	const toResponse = (model: string) => ({
		json: { model, input: `When does the ${SHARED_WORD} open?` },
		headers: { "stemma-visitor": VISITOR },
	});
	const response = await create<Named>("/v1/responses", toResponse(`agent:${slug}`));
	const keyResponse = await create<Named>("/v1/responses", {
		...toResponse(`kb:${base.slug}`),
		token: key.client_key,
	});
	const found = await create<{ readonly passages: readonly { readonly document_url?: string }[] }>(
		"/v1/search",
		{
			json: { query: SHARED_WORD, knowledge_base_ids: [base.id] },
			token: key.client_key,
		},
	);
	const documentUrl = new URL(found.passages[0]?.document_url ?? "");
	const person = await addPerson(workspace, marker);
	const records = await getBody<{ readonly data: readonly Named[] }>(workspace.send("GET", "/v1/audit"));
	return {
		...workspace,
		marker,
		knowledgeBase: base.id,
		knowledgeBaseSlug: base.slug,
		document: data[0]?.id ?? "",
		source: source.id,
		agent: agent.id,
		version: "1",
		slug,
		client: client.id,
		clientSecret: client.client_secret,
		keyId: key.id,
		clientKey: key.client_key,
		run: run.run_id,
		runToken: run.run_token,
		keyRun: keyRun.run_id,
		keyRunToken: keyRun.run_token,
		thread: thread.id,
		message: run.message_id,
		keyThread: keyThread.id,
		keyThreadToken: keyThread.token,
		answer: answer.answer_id,
		answerToken: answer.answer_token,
		keyAnswer: keyAnswer.answer_id,
		keyAnswerToken: keyAnswer.answer_token,
		feedback: feedback.id,
		share: share.id,
		shareToken: share.token,
		response: response.id,
		keyResponse: keyResponse.id,
		documentToken: documentUrl.searchParams.get("token") ?? "",
		approval: "apr_2",
		secret,
		server,
		audit: records.data[0]?.id ?? "",
		...person,
		vendor,
	};
}

/** Invites a person, signs them in, and invites them again. */
async function addPerson({ send }: TestWorkspace, marker: string): Promise<Person> {
	// As a proxy that ends TLS says: over plain HTTP, people sign in on the machine itself alone.
	const secure = { "x-forwarded-proto": "https" };
	const json = { email: `${marker}@example.com`, role: "viewer" };
	const invite = () => getBody<CreatedInvitation>(send("POST", "/v1/invitations", { json, headers: secure }));
	const { origin, hash } = new URL((await invite()).link);
	const { id: session, user } = await getBody<CurrentSession>(
		send("POST", "/v1/session", {
			token: null,
			json: { token: hash.replace("#sign-in=", "") },
			headers: { ...secure, origin, "stemma-csrf": "1" },
		}),
	);
	return { user: user.id, session, invitation: (await invite()).id };
}

type Person = Pick<Tenant, "user" | "session" | "invitation">;

async function setModel({ send }: TestWorkspace, marker: string, base_url: string): Promise<void> {
	const settings = { provider: "openai-compatible", base_url, model: `${marker}-model` };
	await getBody(
		send("PUT", "/v1/workspace/llm-settings", { json: { ...settings, api_key: `sk-${marker}` } }),
	);
}

interface Named {
	readonly id: string;
}

interface StartedRun {
	readonly run_id: string;
	readonly run_token: string;
}

interface StoredAnswer {
	readonly answer_id: string;
	readonly answer_token: string;
}

/** What nobody else may ever see. */
export const listPrivateValues = (tenant: Tenant): readonly string[] =>
	[
		tenant.marker,
		...Object.values(tenant.credentials),
		...[
			tenant.token,
			tenant.knowledgeBase,
			tenant.document,
			tenant.agent,
			tenant.client,
			tenant.clientSecret,
		],
		...[tenant.keyId, tenant.clientKey, tenant.run, tenant.runToken, tenant.keyRun, tenant.keyRunToken],
		...[tenant.thread, tenant.message, tenant.keyThread, tenant.keyThreadToken],
		...[tenant.answer, tenant.answerToken, tenant.keyAnswer, tenant.keyAnswerToken, tenant.feedback],
		...[tenant.share, tenant.shareToken],
		...[tenant.audit, tenant.response, tenant.keyResponse],
		...[tenant.user, tenant.session, tenant.invitation],
	].map(String);

/** All that a tenant sees of what it keeps. */
export async function readEverything({
	send,
	knowledgeBase,
	run,
	keyRun,
	thread,
	keyThread,
	response,
	secret,
	vendor,
}: Tenant): Promise<readonly unknown[]> {
	const base = `/v1/knowledge-bases/${knowledgeBase}`;
	const lists = [
		"/v1/knowledge-bases",
		`${base}/documents`,
		"/v1/agents",
		"/v1/runs",
		"/v1/threads",
		"/v1/feedback",
		"/v1/shares",
		"/v1/clients",
		"/v1/client-keys",
		"/v1/members",
		"/v1/invitations",
		"/v1/workspace/secrets",
		"/v1/audit",
	];
	const items = [
		`/v1/agents/${SHARED_SLUG}`,
		`/v1/agents/${SHARED_SLUG}/versions`,
		`/v1/agents/${SHARED_SLUG}/versions/1`,
		`/v1/runs/${run}`,
		`/v1/runs/${run}/events`,
		`/v1/runs/${keyRun}/events`,
		...[thread, keyThread].map((id) => `/v1/threads/${id}/export`),
		`/v1/responses/${response}`,
		`/v1/responses/${response}/input_items`,
		`/v1/workspace/secrets/${secret}`,
		"/v1/usage",
		...(vendor === undefined ? [] : ["/v1/workspace/llm-settings"]),
	];
	const paths = [...lists.map((path) => `${path}?limit=100`), ...items];
	return Promise.all(paths.map((path) => getBody(send("GET", path))));
}

/** Far longer than it ever takes: a machine may be busy. */
const MAX_INDEXING_MS = 240_000;

/** Waits until all documents of a knowledge base are ready. */
export async function waitUntilIndexed(send: SendRequest, knowledgeBase: string): Promise<void> {
	for (const end = Date.now() + MAX_INDEXING_MS; Date.now() < end; ) {
		const { documents } = await getBody<{ documents: { total: number; ready: number } }>(
			send("GET", `/v1/knowledge-bases/${knowledgeBase}`),
		);
		if (documents.total === documents.ready) return;
		await wait(25);
	}
	throw new Error(`The documents are not ready after ${MAX_INDEXING_MS} ms.`);
}

/** The body of an answer that must be a good one. */
export async function getBody<Body>(sent: Promise<TestResponse>): Promise<Body> {
	const { status, text, body } = await sent;
	if (status >= 300) throw new Error(`${status}: ${text}`);
	return body as Body;
}
