// Control process: answers every request at once. How late its answers are says how busy the machine is. Prints its address.
import { startServer } from "@stemma/simulators/start-server";

const { origin } = await startServer(0, async (_, response) => void response.end("{}"));
process.stdout.write(`${origin}\n`);
