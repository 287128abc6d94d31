import ExternalLink from "lucide-react/icons/external-link";
import MapPin from "lucide-react/icons/map-pin";
import { useState } from "react";
import type { Spot } from "../../lib/api.gen";
import { Button } from "../../ui/button";
import { PlaceDrawing } from "./place-drawing";
import styles from "./place-map.module.css";

const OSM = "https://www.openstreetmap.org";
// How much of the town is seen, in degrees.
const ACROSS = 0.012;
const DOWN = 0.006;

type Props = { spot: Spot; address: string };

// A drawing of the place. The real map comes from another company, so it is loaded on a click; the
// policy of this page, and of no other, lets it in.
export function PlaceMap({ spot, address }: Props) {
  const [wanted, setWanted] = useState(false);
  return (
    <section className={styles.place} aria-labelledby="map">
      <h2 className="visually-hidden" id="map">
        Map
      </h2>
      <div className={styles.frame}>
        {wanted ? (
          <iframe title={`Map of ${address}`} src={embedUrl(spot)} />
        ) : (
          <>
            <PlaceDrawing />
            <div className={styles.ask}>
              <Button onClick={() => setWanted(true)}>
                <MapPin size={18} strokeWidth={1.5} aria-hidden />
                Show the map
              </Button>
              <p>Loads from openstreetmap.org.</p>
            </div>
          </>
        )}
      </div>
      <p className={styles.caption}>
        <span>{address}</span>
        <a href={outsideUrl(spot)} rel="noopener" target="_blank">
          Open in OpenStreetMap
          <ExternalLink size={16} strokeWidth={1.5} aria-hidden />
        </a>
      </p>
    </section>
  );
}

function embedUrl({ latitude, longitude }: Spot): string {
  const box = [longitude - ACROSS, latitude - DOWN, longitude + ACROSS, latitude + DOWN];
  const bbox = box.map((degrees) => degrees.toFixed(5)).join(",");
  const query = new URLSearchParams({ bbox, layer: "mapnik", marker: `${latitude},${longitude}` });
  return `${OSM}/export/embed.html?${query}`;
}

function outsideUrl({ latitude, longitude }: Spot): string {
  return `${OSM}/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`;
}
