// Reads many streams and tells how long each event was on its way: `node stream-client.mjs <url> [body]`.
import { Agent, request } from "node:http";
import { quantile } from "../service/quantile.mjs";

const [url, body = '{"input":"A question."}'] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
const headers = {
	accept: "text/event-stream",
	"content-type": "application/json",
	"content-length": Buffer.byteLength(body),
};
const MARK = /@(\d+):(\d+) /g;

let times = [];
let wrong = 0;

/** Resolves with the second event. */
const open = () =>
	new Promise((resolve, reject) => {
		const sent = request(url, { method: "POST", agent, headers }, (response) => {
			if (response.statusCode !== 200) return reject(new Error(`${url} answered ${response.statusCode}.`));
			response.setEncoding("utf8");
			let rest = "";
			let last = 0;
			response.on("data", (chunk) => {
				const now = Number(process.hrtime.bigint() / 1000n);
				const text = rest + chunk;
				const end = text.lastIndexOf("\n\n");
				rest = text.slice(end + 2);
				if (end < 0) return;
				for (const [, number, sentAt] of text.slice(0, end).matchAll(MARK)) {
					if (Number(number) !== last + 1) wrong += 1;
					last = Number(number);
					times.push((now - Number(sentAt)) / 1000);
					if (last === 2) resolve();
				}
			});
			response.on("end", () => reject(new Error(`${url} ended.`)));
		});
		sent.on("error", reject);
		sent.end(body);
	});

const ANSWERS = {
	async open({ count }) {
		for (let opened = 0; opened < count; opened++) await open();
		return {};
	},
	begin() {
		times = [];
		wrong = 0;
		return {};
	},
	end: () => ({ events: times.length, wrong, p50: quantile(times, 0.5), p99: quantile(times, 0.99) }),
};

process.on("message", async (message) => process.send(await ANSWERS[message.type](message)));
process.on("disconnect", () => process.exit(0));
process.send({});
