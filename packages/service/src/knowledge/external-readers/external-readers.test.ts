import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { createExternalReaders } from "./external-readers";
import type { ReaderConfiguration } from "./reader-configuration";

const program = fileURLToPath(new URL("./test-support/program.mjs", import.meta.url));
const file = { bytes: Buffer.from("A drawing."), fileName: "../x y/Plan.DWG" };
const signal = new AbortController().signal;

const toReader = (
	via: ReaderConfiguration["via"],
	options: Partial<ReaderConfiguration> = {},
): ReaderConfiguration => ({
	name: "drawings",
	extensions: ["dwg"],
	mediaTypes: ["image/vnd.dwg"],
	timeoutMs: 60_000,
	maxOutputBytes: 1_000_000,
	via,
	...options,
});

const toCommand = (...parameters: string[]): ReaderConfiguration["via"] => ({
	kind: "command",
	command: [process.execPath, program, ...parameters],
	output: "markdown",
	maxMemoryMebibytes: 256,
});

const convert = async (reader: ReaderConfiguration) => {
	const readers = createExternalReaders([reader]);
	const { bytes, format } = await readers.convert("reader:drawings", file, { workspaceId: "a", signal });
	return { text: Buffer.from(bytes).toString(), format };
};

const failure = (message: unknown) => ({ error: { code: "reader_failed", message } });

describe("an external reader", () => {
	it("is found by the extension, else by the media type", () => {
		const { findFormat } = createExternalReaders([toReader(toCommand("upper"))]);
		expect(findFormat("a.DWG")).toBe("reader:drawings");
		expect(findFormat("a", "image/vnd.dwg; charset=x")).toBe("reader:drawings");
		expect(findFormat("a.md", "text/markdown")).toBeUndefined();
	});

	it("that is not configured any more fails its documents", async () => {
		const readers = createExternalReaders([]);
		await expect(readers.convert("reader:old", file, { workspaceId: "a" })).rejects.toMatchObject(
			failure('The reader "old" is no longer configured.'),
		);
	});
});

describe("a program", () => {
	it("gets the file on its standard input", async () => {
		expect(await convert(toReader(toCommand("upper")))).toEqual({ text: "A DRAWING.", format: "markdown" });
	});

	it("gets a path of the service's choice where an argument asks for it", async () => {
		const { text: output } = await convert(toReader(toCommand("path", "{file}")));
		expect(output).toBe("# document.dwg\n\nA drawing.");
	});

	it("has nothing of the service's environment but the path", async () => {
		process.env.STEMMA_TEST_SECRET = "not-for-readers";
		const { text: output } = await convert(toReader(toCommand("environment")));
		expect(output).toBe("names: HOME LANG PATH TMPDIR");
	});

	it.each([
		["fail", {}, 'The reader "drawings" ended with 3: The drawing is damaged.'],
		["hang", { timeoutMs: 500 }, 'The reader "drawings" took longer than 0.5 s.'],
		["flood", { maxOutputBytes: 1024 * 1024 }, 'The reader "drawings" gave more than 1 MiB of text.'],
	])("that does %s fails its document", async (behaviour, options, message) => {
		await expect(convert(toReader(toCommand(behaviour), options))).rejects.toMatchObject(failure(message));
	});

	it.skipIf(process.platform !== "linux")("that takes too much memory is ended", async () => {
		await expect(convert(toReader(toCommand("memory")))).rejects.toMatchObject(
			failure('The reader "drawings" took more than 256 MiB of memory.'),
		);
	});

	it("that is not there fails its document", async () => {
		const via: ReaderConfiguration["via"] = {
			kind: "command",
			command: ["no-such-program-of-stemma"],
			output: "text",
			maxMemoryMebibytes: 256,
		};
		await expect(convert(toReader(via))).rejects.toMatchObject(
			failure('The reader "drawings" cannot be started: ENOENT.'),
		);
	});

	it("is ended when the service stops", async () => {
		const readers = createExternalReaders([toReader(toCommand("hang"))]);
		const converting = readers.convert("reader:drawings", file, {
			workspaceId: "a",
			onStart: async () => void setTimeout(() => readers.stop(new Error("stopped")), 100),
		});
		await expect(converting).rejects.toThrow("stopped");
	});
});

describe("a server", () => {
	let close: (() => void) | undefined;
	afterEach(() => close?.());

	async function serve(
		answer: (request: IncomingMessage, response: ServerResponse) => unknown,
	): Promise<string> {
		const server = createServer((request, response) => void answer(request, response));
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		close = () => {
			server.closeAllConnections();
			server.close();
		};
		const address = server.address();
		return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
	}

	it("with Tika's API gets the file, and gives text", async () => {
		const baseUrl = await serve(async (request, response) => {
			const body = await text(request);
			response.end(`${request.method} ${request.url} ${request.headers.accept}: ${body}`);
		});
		expect(await convert(toReader({ kind: "tika", baseUrl }))).toEqual({
			text: "PUT /tika text/plain: A drawing.",
			format: "text",
		});
	});

	it("with Docling's API gets a form, and gives Markdown", async () => {
		let body = "";
		const baseUrl = await serve(async (request, response) => {
			body = `${request.method} ${request.url}\n${await text(request)}`;
			response.setHeader("content-type", "application/json");
			response.end(JSON.stringify({ document: { md_content: "# Plan" }, status: "success" }));
		});
		expect(await convert(toReader({ kind: "docling", baseUrl }))).toEqual({
			text: "# Plan",
			format: "markdown",
		});
		expect(body).toContain("POST /v1/convert/file");
		expect(body).toContain('name="files"');
		expect(body).toContain("A drawing.");
	});

	it.each<
		[
			string,
			(request: IncomingMessage, response: ServerResponse) => unknown,
			Partial<ReaderConfiguration>,
			string,
		]
	>([
		[
			"an error",
			(_, response) => response.writeHead(422).end("Bad file.\nStack"),
			{},
			"answered 422: Bad file.",
		],
		[
			"a redirect",
			(_, response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
			{},
			"cannot be reached.",
		],
		["no answer", () => undefined, { timeoutMs: 300 }, "took longer than 0.3 s."],
		[
			"too much",
			(_, response) => response.end("x".repeat(3_000_000)),
			{ maxOutputBytes: 1024 * 1024 },
			"gave more than 1 MiB of text.",
		],
	])("that gives %s fails its document", async (_, answer, options, message) => {
		const baseUrl = await serve(answer);
		await expect(convert(toReader({ kind: "tika", baseUrl }, options))).rejects.toMatchObject(
			failure(`The reader "drawings" ${message}`),
		);
	});
});
