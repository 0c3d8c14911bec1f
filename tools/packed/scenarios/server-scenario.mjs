// What the packed @stemma/client must be able to do on servers, where it has a secret.
import { callEveryMethod, expectedOfEveryMethod } from "./every-method.mjs";

const toMarkdown = (name) => `# ${name}\n\nRefunds take five working days.\n`;

/**
 * Uploads what a platform has for files, and gives back what a test can compare.
 *
 * @param fileFromPath - of `@stemma/client/node`, where there are files: one of them is `page.md`.
 */
export async function serverScenario({ client, testing }, options, fileFromPath) {
	const { baseUrl, clientId, clientSecret } = options;
	const stemma = new client.Stemma({ baseUrl, clientId, clientSecret });
	const { knowledge } = stemma;
	const { id } = await knowledge.create({ name: "Uploads" });
	const encode = (text) => new TextEncoder().encode(text);
	const files = [
		{ file: new Blob([toMarkdown("Blob")]), name: "blob.md" },
		{ file: encode(toMarkdown("Bytes")), name: "bytes.md" },
		{ file: new Response(toMarkdown("Stream")).body, name: "stream.md" },
		...(fileFromPath === undefined ? [] : [await fileFromPath("page.md")]),
	];
	const upload = await knowledge.documents.upload(id, { files });
	const ready = await knowledge.documents.waitUntilReady(id, upload, { pollMs: 20 });
	await knowledge.delete(id);
	const fake = testing.createFakeStemma({ agents: { desk: "Hello there." } });
	return {
		uploaded: ready.map(({ title, passage_count: passages }) => `${title} ${passages}`).sort(),
		fake: (await fake.stemma.agents.run("desk", { input: "?" })).output,
		methods: await callEveryMethod({ ...options, stemma }),
	};
}

/** What {@link serverScenario} must give without files. */
export const expectedOfServer = {
	uploaded: ["Blob 1", "Bytes 1", "Stream 1"],
	fake: "Hello there.",
	methods: expectedOfEveryMethod,
};

/** … and with them. */
export const expectedWithFiles = {
	...expectedOfServer,
	uploaded: [...expectedOfServer.uploaded, "page.md 1"],
};
