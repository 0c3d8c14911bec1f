// A screen that keeps a conversation in a thread of the service.
import { agents, createClient, runs, threads } from "@stemma/client";
import { useThread } from "@stemma/react";
import { useState } from "react";
import { AppRegistry, Pressable, Text, TextInput, View } from "react-native";

const NAME = "Conversation";
/** Values for the instructions of the agent. */
const CONTEXT = { customer: "Ada" };

/** Shows a conversation with an agent, of a thread that is there already or of a new one. */
export function showThread({ baseUrl, clientKey, agent, thread = null }) {
	const client = createClient({ baseUrl, clientKey });
	const service = { agents: agents(client), runs: runs(client), threads: threads(client) };
	AppRegistry.registerComponent(NAME, () => () => (
		<Conversation service={service} agent={agent} thread={thread} />
	));
	AppRegistry.runApplication(NAME, { rootTag: 11, initialProps: {} });
}

function Conversation({ service, agent, thread }) {
	const [draft, setDraft] = useState("");
	const [handle, setHandle] = useState(thread);
	const chat = useThread(service, { agent, context: CONTEXT, thread: handle, onThread: setHandle });
	globalThis.shownThread = handle;
	const send = () => {
		chat.send(draft);
		setDraft("");
	};
	return (
		<View>
			{chat.messages.map(({ key, role, text, status, citations }) => (
				<Text key={key}>
					{[`${role}:`, text, ...citations.map(({ title }) => `(${title})`), status].join(" ")}
				</Text>
			))}
			<TextInput accessibilityLabel="Message" value={draft} onChangeText={setDraft} />
			{chat.isAnswering ? (
				<Button label="Stop" onPress={chat.stop} />
			) : (
				<Button label="Send" onPress={send} isDisabled={draft === ""} />
			)}
			<Button label="Again" onPress={() => chat.regenerate(chat.messages.at(-1)?.key ?? "")} />
		</View>
	);
}

const Button = ({ label, onPress, isDisabled = false }) => (
	<Pressable accessibilityRole="button" accessibilityLabel={label} disabled={isDisabled} onPress={onPress}>
		<Text>{label}</Text>
	</Pressable>
);
