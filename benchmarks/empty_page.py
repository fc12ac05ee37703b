"""The plain thing that pages are measured against: a Streamlit page that says «hi».

It is served from the project's folder, so that it has the same `.streamlit/config.toml`.
"""

import streamlit as st

st.write("hi")
