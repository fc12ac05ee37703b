/** Draws one chart with Plotly, in the colours and the font of the page. */

// The file of the installed Plotly. It is a plain script, and large: loaded once, when the first chart is drawn.
const PLOTLY = new URL("../attention.plotly/plotly.min.js", import.meta.url).href;
const NARROW = 620;
const HEIGHT = 330;
const TALL = 420;

function load() {
  window.attentionPlotly ??= new Promise((done, fail) => {
    const script = document.createElement("script");
    script.src = PLOTLY;
    script.onload = () => done(window.Plotly);
    script.onerror = () => fail(new Error("Plotly did not load"));
    document.head.append(script);
  });
  return window.attentionPlotly;
}

/** What a colour of the style is right now: Plotly cannot read variables. */
function colours(place) {
  const probe = document.createElement("span");
  place.append(probe);
  const read = (value) => {
    probe.style.color = value;
    return getComputedStyle(probe).color;
  };
  const found = { ink: read("inherit"), quiet: read("var(--muted)"), edge: read("var(--card-line)"), role: {} };
  for (const role of "xqkvsaomg") found.role[role] = read(`var(--role-${role})`);
  probe.remove();
  return found;
}

/** Plotly reads tags and entities in every text; ours are plain. */
const plain = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

function axis({ title, low, high, log, bare, ticks }, colour, domain, anchor) {
  return {
    title: { text: plain(title), standoff: 8 }, domain, anchor, fixedrange: true, automargin: true,
    type: log ? "log" : "linear", range: log ? [Math.log10(low), Math.log10(high)] : [low, high],
    color: colour.quiet, gridcolor: colour.edge, zerolinecolor: colour.edge, linecolor: colour.edge,
    showticklabels: !bare, showgrid: !bare, zeroline: !bare, dtick: log ? 1 : undefined,
    ...(ticks.length && { tickmode: "array", tickvals: ticks.map(([at]) => at), ticktext: ticks.map(([, text]) => text) }),
  };
}

function layout(chart, colour, stacked, font) {
  const { panels } = chart;
  const gap = stacked ? 0.16 : 0.1;
  const size = (1 - gap * (panels.length - 1)) / panels.length;
  const made = {
    height: (chart.tall ? TALL : HEIGHT) * (stacked ? panels.length * 0.9 : 1), margin: { l: 52, r: 8, t: 30, b: 84 },
    showlegend: true,
    legend: { orientation: "h", yref: "container", y: 0, yanchor: "bottom", x: 0, itemclick: false, itemdoubleclick: false },
    paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", dragmode: false, hovermode: "closest",
    font: { family: font, size: 13, color: colour.ink }, annotations: [],
  };
  panels.forEach((panel, i) => {
    const number = i ? i + 1 : "";
    const start = i * (size + gap);
    const across = stacked ? [0, 1] : [start, start + size];
    const up = stacked ? [1 - start - size, 1 - start] : [0, 1];
    made[`xaxis${number}`] = axis(panel.x, colour, across, `y${number}`);
    made[`yaxis${number}`] = axis(panel.y, colour, up, `x${number}`);
    if (panel.square) {
      made[`yaxis${number}`].scaleanchor = `x${number}`;
      made[`xaxis${number}`].constrain = made[`yaxis${number}`].constrain = "domain";
    }
    made.annotations.push({
      text: plain(panel.title), xref: "paper", yref: "paper", x: across[0], y: up[1], xanchor: "left", yanchor: "bottom",
      showarrow: false, font: { size: 14, color: colour.ink },
    });
  });
  return made;
}

/** Traces name a role; here it becomes a colour. Equal names share one entry of the legend. */
function coloured(traces, colour) {
  const named = new Set();
  return traces.map(({ role, ...trace }) => {
    const showlegend = Boolean(trace.name) && !named.has(trace.name);
    named.add(trace.name);
    const fillcolor = trace.fill && colour.role[role].replace(/^rgb\((.*)\)$/, "rgba($1, 0.14)");
    return {
      ...trace, name: plain(trace.name), ...(trace.text && { text: trace.text.map(plain) }),
      showlegend, ...(fillcolor && { fillcolor }), legendgroup: trace.name,
      marker: { ...trace.marker, color: colour.role[role] },
      line: { width: 2, ...trace.line, color: colour.role[role] },
    };
  });
}

/** @param {HTMLElement} place @param {import("./charts.js").Chart} chart @param {import("./charts.js").Stop} stop */
export async function draw(place, chart, stop) {
  place.latest = stop;
  let plotly;
  try {
    plotly = await load();
  } catch {
    place.textContent = "The chart could not be loaded. Its numbers stand in the table below.";
    return;
  }
  const width = place.clientWidth;
  // A later stop was asked for while Plotly came, or the page is gone.
  if (place.latest !== stop || !place.isConnected || !width) return;
  const stacked = chart.panels.length > 1 && width < NARROW;
  place.classList.toggle("stacked", stacked);
  const colour = colours(place);
  const look = { ...layout(chart, colour, stacked, getComputedStyle(place).fontFamily), width };
  plotly.react(place, coloured(stop.traces, colour), look, { displayModeBar: false, staticPlot: false });
}
