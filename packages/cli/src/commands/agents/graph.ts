import { readAgentFile } from "../../agent-file/read-agent-file";
import { toMermaid } from "../../agent-file/to-mermaid";
import { sanitizeText, type Terminal } from "../../terminal/terminal";

/** Writes the graph of an agent file as Mermaid text. */
export async function graph({ stdout }: Terminal, file: string): Promise<void> {
	stdout.write(sanitizeText(toMermaid(await readAgentFile(file))));
}
