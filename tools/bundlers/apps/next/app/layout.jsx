import "@stemma/react/chat.css";

export const metadata = { title: "Desk", icons: { icon: "data:," } };

export default function Layout({ children }) {
	return (
		<html lang="en">
			<body>{children}</body>
		</html>
	);
}
