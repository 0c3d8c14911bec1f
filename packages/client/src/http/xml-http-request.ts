import type { ServiceRequest } from "../client";
import type { BodyReader, FetchInit, FetchResponse } from "./platform";

/** `responseText` is kept whole for as long as the request lasts: a stream that can be taken up again is left then. */
const MAX_TEXT_CHARACTERS = 2 ** 20;

/**
 * `fetch` over `XMLHttpRequest`, for where `fetch` itself gives no bodies piece by piece (React Native's), and for the
 * progress of uploads. Bodies are text; redirects are followed, and `url` tells where to. This file imports nothing: that
 * would be split off from what every page loads.
 *
 * @param init - with a signal that is aborted at the end in any case.
 */
export function fetchByXmlHttpRequest(
	XmlHttpRequest: new () => XMLHttpRequest,
	url: string,
	{ method, headers, body, signal }: FetchInit,
	{ isResumable, onUploadProgress }: Pick<ServiceRequest, "isResumable" | "onUploadProgress">,
): Promise<FetchResponse> {
	return new Promise((resolve, reject) => {
		const request = new XmlHttpRequest();
		/** Text that was received, up to where reading ends; kept here because `request` may drop it. */
		let text = "";
		let end: { readonly error?: Error } | undefined;
		let wake: (() => void) | undefined;

		function updateText(): void {
			if (end !== undefined) return;
			const before = text.length;
			text = request.responseText;
			// Between two events, so that one that is longer does come through.
			const blankLine = isResumable ? text.indexOf("\n\n", Math.max(MAX_TEXT_CHARACTERS, before) - 1) : -1;
			if (blankLine >= 0) {
				text = text.slice(0, blankLine + 2);
				close();
			}
			wake?.();
		}

		function finish(result: { readonly error?: Error }): void {
			end ??= result;
			wake?.();
		}

		/**
		 * Ends reading and aborts the request. An aborted request loses its text and headers; one that has ended keeps
		 * them and is not aborted.
		 */
		function close(): void {
			if (end !== undefined) return;
			finish({});
			request.abort();
		}

		function fail(): void {
			// React Native puts what went wrong into the text.
			const error = new Error(request.responseText || "The request failed");
			finish({ error });
			reject(error);
		}

		async function waitForChange(): Promise<void> {
			await new Promise<void>((resolve) => {
				wake = resolve;
			});
		}

		function getReader(): BodyReader {
			let readLength = 0;
			return {
				async read() {
					while (readLength === text.length && end === undefined) await waitForChange();
					if (readLength === text.length) {
						if (end?.error !== undefined) throw end.error;
						return { done: true };
					}
					const value = text.slice(readLength);
					readLength = text.length;
					return { done: false, value };
				},
				cancel: async () => close(),
			};
		}

		async function readText(): Promise<string> {
			while (end === undefined) await waitForChange();
			if (end.error !== undefined) throw end.error;
			return text;
		}

		request.open(method, url);
		request.withCredentials = false;
		for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
		if (onUploadProgress !== undefined)
			request.upload.onprogress = ({ loaded, total, lengthComputable }) =>
				onUploadProgress({ loaded, total: lengthComputable ? total : undefined });
		request.onreadystatechange = () => {
			if (request.readyState !== 2) return;
			const { status } = request;
			resolve({
				status,
				ok: status >= 200 && status < 300,
				// React Native learns it a moment after the status.
				get url() {
					return request.responseURL;
				},
				headers: { get: (name) => request.getResponseHeader(name) },
				body: { getReader },
				text: readText,
			});
		};
		request.onprogress = updateText;
		request.onload = () => {
			updateText();
			finish({});
		};
		request.onerror = fail;
		request.ontimeout = fail;
		if (signal.aborted) return close();
		signal.addEventListener("abort", close);
		request.send(body as string | FormData | undefined);
	});
}
