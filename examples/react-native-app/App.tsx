import { agents, createClient, runs } from "@stemma/client";
import { useRun } from "@stemma/react";
import { useState } from "react";
import { ScrollView, StyleSheet, Text, TextInput, View } from "react-native";
import { Answer } from "./Answer";
import { Button } from "./Button";
import { AGENT, BASE_URL, CLIENT_KEY } from "./settings";

const client = createClient({ baseUrl: BASE_URL, clientKey: CLIENT_KEY });
const service = { agents: agents(client), runs: runs(client) };

/** One question at a time, and its answer as it is written. */
export function App() {
	const [draft, setDraft] = useState("");
	const [question, setQuestion] = useState("");
	const run = useRun(service.agents, AGENT, { runs: service.runs });
	const isRunning = run.status === "running";
	const canAsk = !isRunning && draft.trim() !== "";

	const ask = () => {
		if (!canAsk) return;
		setQuestion(draft);
		setDraft("");
		run.start({ input: draft, context: { customer: "Ada" } });
	};

	return (
		<View style={styles.screen}>
			<ScrollView style={styles.conversation} keyboardShouldPersistTaps="handled">
				<Text style={styles.question}>{question}</Text>
				<Answer run={run} />
				{run.canReconnect ? <Button label="Try again" onPress={run.reconnect} /> : null}
			</ScrollView>
			<View style={styles.row}>
				<TextInput
					accessibilityLabel="Question"
					style={styles.input}
					value={draft}
					onChangeText={setDraft}
					onSubmitEditing={ask}
					placeholder="How long does a refund take?"
				/>
				{isRunning ? (
					<Button label="Cancel" onPress={run.cancel} />
				) : (
					<Button label="Ask" onPress={ask} isDisabled={!canAsk} />
				)}
			</View>
		</View>
	);
}

const styles = StyleSheet.create({
	screen: { flex: 1, padding: 16, paddingTop: 64, backgroundColor: "#ffffff" },
	conversation: { flex: 1 },
	question: { fontWeight: "600", fontSize: 16, marginBottom: 8 },
	row: { flexDirection: "row", alignItems: "center", gap: 8 },
	input: { flex: 1, borderWidth: 1, borderColor: "#888888", borderRadius: 8, padding: 12 },
});
