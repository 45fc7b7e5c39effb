/**
 * Starts Beam's job server for Flink. Beam sends every jar on its class path along with each job; here the cluster has
 * them on its own class path already, so the server is told that its class path is one empty jar.
 */
public class JobServer {
  public static void main(String[] arguments) throws Exception {
    System.setProperty("java.class.path", System.getenv("EMPTY_JAR"));
    org.apache.beam.runners.flink.FlinkJobServerDriver.main(arguments);
  }
}
