import { type ClientRequest, type IncomingMessage, request as sendRequest } from "node:http";

type Handler = ((event: { loaded: number; total: number; lengthComputable: boolean }) => void) | null;

/** Tests take it away from the client. */
const PlatformResponse = Response;

/** As much of `XMLHttpRequest` as the client uses, over `node:http`, with the ways of React Native's. */
export class NodeXmlHttpRequest {
	static readonly instances: NodeXmlHttpRequest[] = [];

	readyState = 0;
	status = 0;
	responseText = "";
	responseURL = "";
	withCredentials = true;
	readonly upload: { onprogress: Handler } = { onprogress: null };
	onreadystatechange: (() => void) | null = null;
	onprogress: Handler = null;
	onload: (() => void) | null = null;
	onerror: (() => void) | null = null;
	/** The longest that `responseText` ever was. */
	maxTextLength = 0;
	isAborted = false;
	#request: ClientRequest | undefined;
	#response: IncomingMessage | undefined;
	#target = { method: "", url: "" };
	readonly #headers: Record<string, string> = {};

	constructor() {
		NodeXmlHttpRequest.instances.push(this);
	}

	open(method: string, url: string): void {
		this.#target = { method, url };
		this.readyState = 1;
	}

	setRequestHeader(name: string, value: string): void {
		this.#headers[name] = value;
	}

	getResponseHeader(name: string): string | null {
		const value = this.#response?.headers[name.toLowerCase()];
		return value === undefined ? null : String(value);
	}

	send(body?: string | FormData): void {
		void this.#send(body, this.#target.url);
	}

	async #send(body: string | FormData | undefined, url: string): Promise<void> {
		const { method } = this.#target;
		const encoded = new PlatformResponse(body);
		const type = body instanceof FormData ? encoded.headers.get("content-type") : null;
		const bytes = Buffer.from(await encoded.arrayBuffer());
		const headers = { ...this.#headers, ...(type === null ? {} : { "content-type": type }) };
		this.#request = sendRequest(url, { method, headers }, (response) => this.#receive(response, body, url));
		this.#request.on("error", (error) => this.#fail(error));
		this.#request.end(bytes);
		this.upload.onprogress?.({ loaded: bytes.length, total: bytes.length, lengthComputable: true });
	}

	#receive(response: IncomingMessage, body: string | FormData | undefined, url: string): void {
		const { location } = response.headers;
		if (location !== undefined) return void this.#send(body, new URL(location, url).href);
		this.#response = response;
		this.status = response.statusCode ?? 0;
		this.#change(2);
		this.responseURL = url;
		response.setEncoding("utf8");
		response.on("data", (text: string) => {
			if (this.isAborted) return;
			this.responseText += text;
			this.maxTextLength = Math.max(this.maxTextLength, this.responseText.length);
			this.#change(3);
			this.onprogress?.({ loaded: this.responseText.length, total: -1, lengthComputable: false });
		});
		response.on("error", (error) => this.#fail(error));
		response.on("end", () => {
			this.#change(4);
			this.onload?.();
		});
	}

	#fail(error: Error): void {
		if (this.isAborted) return;
		this.responseText = error.message;
		this.#change(4);
		this.onerror?.();
	}

	#change(readyState: number): void {
		this.readyState = readyState;
		this.onreadystatechange?.();
	}

	/** Forgets everything, also after the end. */
	abort(): void {
		const hasEnded = this.readyState === 4;
		this.#response = undefined;
		this.responseText = this.responseURL = "";
		this.status = 0;
		if (hasEnded) return;
		this.isAborted = true;
		this.#request?.destroy();
		this.#change(4);
	}
}
