import { createSseReader } from "@stemma/core/sse";
import { preciseNow, readStamps } from "./stamp.ts";

/**
 * Streams a completion of an OpenAI-compatible server. Returns how long each chunk was under way from the vendor, in milliseconds,
 * as far as it came.
 *
 * @param baseUrl - with `/v1`.
 */
export async function followCompletion(baseUrl: string, token: string): Promise<readonly number[]> {
	const delays: number[] = [];
	const response = await fetch(`${baseUrl}/chat/completions`, {
		method: "POST",
		headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
		body: JSON.stringify({
			model: "default",
			messages: [{ role: "user", content: "Is anyone there?" }],
			stream: true,
		}),
	});
	const reader = createSseReader();
	try {
		for await (const part of response.body ?? [])
			for (const { data } of reader.push(part))
				for (const stamp of readStamps(data)) delays.push(preciseNow() - stamp);
	} catch {
		// The vendor breaks some of them off.
	}
	return delays;
}
