import type { ServiceRequest } from "../client";
import type { BodyReader, FetchInit, FetchResponse } from "./platform";

/** `responseText` is kept whole for as long as the request lasts: a stream that can be taken up again is left then. */
const MAX_TEXT_CHARACTERS = 2 ** 20;

type XhrOptions = Pick<ServiceRequest, "isResumable" | "onUploadProgress">;

/**
 * `fetch` over `XMLHttpRequest`, for where `fetch` itself gives no bodies piece by piece (React Native's), and for the
 * progress of uploads. Bodies are text; redirects are followed, and `url` tells where to. This file imports nothing: that
 * would be split off from what every page loads.
 *
 * @param init - with a signal that is aborted at the end in any case.
 */
export const fetchByXmlHttpRequest = (
	XmlHttpRequest: new () => XMLHttpRequest,
	url: string,
	init: FetchInit,
	options: XhrOptions,
): Promise<FetchResponse> => new XhrExchange(new XmlHttpRequest(), options).send(url, init);

/** One request and its response. */
class XhrExchange {
	readonly #request: XMLHttpRequest;
	readonly #options: XhrOptions;
	/** Text that was received, up to where reading ends; kept here because the request may drop it. */
	#text = "";
	#end: { readonly error?: Error } | undefined;
	#wake: (() => void) | undefined;

	constructor(request: XMLHttpRequest, options: XhrOptions) {
		this.#request = request;
		this.#options = options;
	}

	send(url: string, { method, headers, body, signal }: FetchInit): Promise<FetchResponse> {
		return new Promise((resolve, reject) => {
			const request = this.#request;
			const { onUploadProgress } = this.#options;
			const fail = (): void => {
				// React Native puts what went wrong into the text.
				const error = new Error(request.responseText || "The request failed");
				this.#finish({ error });
				reject(error);
			};
			request.open(method, url);
			request.withCredentials = false;
			for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
			if (onUploadProgress !== undefined)
				request.upload.onprogress = ({ loaded, total, lengthComputable }) =>
					onUploadProgress({ loaded, total: lengthComputable ? total : undefined });
			request.onreadystatechange = () => {
				if (request.readyState === 2) resolve(this.#toResponse());
			};
			request.onprogress = () => this.#updateText();
			request.onload = () => {
				this.#updateText();
				this.#finish({});
			};
			request.onerror = fail;
			request.ontimeout = fail;
			if (signal.aborted) return this.#close();
			signal.addEventListener("abort", () => this.#close());
			request.send(body as string | FormData | undefined);
		});
	}

	#toResponse(): FetchResponse {
		const request = this.#request;
		const { status } = request;
		return {
			status,
			ok: status >= 200 && status < 300,
			// React Native learns it a moment after the status.
			get url() {
				return request.responseURL;
			},
			headers: { get: (name) => request.getResponseHeader(name) },
			body: { getReader: () => this.#createReader() },
			text: () => this.#readText(),
		};
	}

	#updateText(): void {
		if (this.#end !== undefined) return;
		const before = this.#text.length;
		this.#text = this.#request.responseText;
		// Between two events, so that one that is longer does come through.
		const blankLine = this.#options.isResumable
			? this.#text.indexOf("\n\n", Math.max(MAX_TEXT_CHARACTERS, before) - 1)
			: -1;
		if (blankLine >= 0) {
			this.#text = this.#text.slice(0, blankLine + 2);
			this.#close();
		}
		this.#wake?.();
	}

	#finish(result: { readonly error?: Error }): void {
		this.#end ??= result;
		this.#wake?.();
	}

	/**
	 * Ends reading and aborts the request. An aborted request loses its text and headers; one that has ended keeps them
	 * and is not aborted.
	 */
	#close(): void {
		if (this.#end !== undefined) return;
		this.#finish({});
		this.#request.abort();
	}

	#waitForChange(): Promise<void> {
		return new Promise((resolve) => {
			this.#wake = resolve;
		});
	}

	#createReader(): BodyReader {
		let readLength = 0;
		return {
			read: async () => {
				while (readLength === this.#text.length && this.#end === undefined) await this.#waitForChange();
				if (readLength === this.#text.length) {
					if (this.#end?.error !== undefined) throw this.#end.error;
					return { done: true };
				}
				const value = this.#text.slice(readLength);
				readLength = this.#text.length;
				return { done: false, value };
			},
			cancel: async () => this.#close(),
		};
	}

	async #readText(): Promise<string> {
		while (this.#end === undefined) await this.#waitForChange();
		if (this.#end.error !== undefined) throw this.#end.error;
		return this.#text;
	}
}
