const answer = await fetch("/devices");
for (const name of (await answer.json()).devices) {
  const item = document.createElement("li");
  item.textContent = name;
  document.getElementById("devices").append(item);
}
